"""JavaScript made from Python: what is marked `in_pages`, as modules of the page's workers."""
