"""JavaScript made from Python: chosen functions and classes as modules of the page's workers."""
