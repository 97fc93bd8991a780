"""Translator of Python that is marked `in_pages` to modules of the page's workers, in JavaScript."""
