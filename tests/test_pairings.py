"""Rounds of a classroom: who meets whom, by the results before."""

import pytest

from plyground.errors import BadInput
from plyground.web.classroom.pairings import Pairings, RoomGame


def played(rounds: Pairings, people: list[int], share: float | None = 1.0) -> list[tuple[int, int]]:
    """The next round, of which each first player has this share."""
    pairs = rounds.next(people)
    rounds.begin(people, [RoomGame(f"{x}-{o}", x, o, share) for x, o in pairs])
    return pairs


def test_a_swiss_tournament() -> None:
    """The upper half meets the lower, then equal points meet; no two meet twice, and each bye is another player's."""
    rounds, people = Pairings("swiss"), [3, 5, 7, 9, 11]
    assert played(rounds, people) == [(3, 7), (5, 9)]
    second = played(rounds, people)
    assert {frozenset(pair) for pair in second} & {frozenset((3, 5)), frozenset((3, 11)), frozenset((5, 11))}
    played(rounds, people)
    met = [frozenset((each.x, each.o)) for meetings in rounds.rounds for each in meetings]
    byes = [set(people) - {number for each in meetings for number in (each.x, each.o)} for meetings in rounds.rounds]
    assert len(met) == len(set(met)) == 6
    assert all(len(bye) == 1 for bye in byes) and len(set.union(*byes)) == 3


def test_a_ladder() -> None:
    """Neighbours meet, in turn; who wins from below climbs."""
    rounds = Pairings("ladder")
    assert played(rounds, [1, 2, 3, 4], share=0.0) == [(1, 2), (3, 4)]
    assert played(rounds, [1, 2, 3, 4]) == [(1, 4)]
    assert played(rounds, [1, 2, 3, 4]) == [(2, 1), (4, 3)]


def test_places_on_a_ladder_stay_when_people_leave() -> None:
    """Places are those of all games: who comes again has the place from before, in any order."""
    rounds = Pairings("ladder")
    played(rounds, [1, 2, 3, 4], share=0.0)
    assert rounds.rungs([1, 2, 3, 4]) == [2, 1, 4, 3]
    assert played(rounds, [4, 3, 1]) == [(4, 3)], "2 has left: 1, the highest of the others, has no neighbour this time"
    assert rounds.rungs([3, 4, 1, 2]) == [2, 1, 4, 3]
    assert played(rounds, [3, 4, 1, 2], share=0.0) == [(2, 1), (4, 3)]
    assert rounds.rungs([1, 2, 3, 4]) == [1, 2, 3, 4]


def test_people_come_and_go() -> None:
    """A round is of those who are here; the points of a game against one who has left stay."""
    rounds = Pairings("swiss")
    played(rounds, [1, 2])
    assert {frozenset(pair) for pair in played(rounds, [1, 4, 6])} <= {
        frozenset(pair) for pair in ((1, 4), (1, 6), (4, 6))
    }


def test_a_round_that_goes_on() -> None:
    """The next waits for its games, and one takes two people."""
    rounds = Pairings("swiss")
    with pytest.raises(BadInput, match="two people or more"):
        rounds.next([1])
    played(rounds, [1, 2], share=None)
    with pytest.raises(BadInput, match="Round 1 goes on: 1 game is open"):
        rounds.next([1, 2])


def test_points_of_who_is_here() -> None:
    """A late person has no points for the rounds before, a bye counts one, and the winner against who left keeps it."""
    rounds = Pairings("swiss")
    played(rounds, [1, 2, 3, 4, 5])  # 1 beats 3, 2 beats 4, 5 rests
    assert rounds.resting == [[5]]
    assert played(rounds, [1, 2, 4, 5, 6, 7]) == [(1, 2), (5, 4), (6, 7)]
    assert RoomGame("", 1, 2).forfeit_share([1, 3]) == 1.0 and RoomGame("", 1, 2).forfeit_share([2]) == 0.0
    assert RoomGame("", 1, 2).forfeit_share([3]) == 0.5 and RoomGame("", 1, 2).forfeit_share([1, 2]) is None


def test_who_rests_on_a_ladder_has_no_points() -> None:
    """Only a Swiss tournament has byes."""
    rounds = Pairings("ladder")
    played(rounds, [1, 2, 3])
    assert (rounds.resting, rounds.bye, Pairings("swiss").bye) == ([[3]], 0, 1)
