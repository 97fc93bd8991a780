"""Grading of searches: criteria with points, the mistake by its name, the smallest counterexample."""

from plyground.grading.grade import CRITERIA, Criterion, CriterionMark, SearchGrade, grade

__all__ = ["CRITERIA", "Criterion", "CriterionMark", "SearchGrade", "grade"]
