"""How Sphinx makes the site: Markdown by MyST, the look by Furo, the reference by autodoc.

Nothing is fetched when it is built, and the pages ask no other host for anything.
"""

from importlib.metadata import version as version_of

import sources

project = "plyground"
copyright = "the authors of plyground"  # noqa: A001  (Sphinx's name for it)
version = release = version_of("plyground")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.linkcode"]
myst_heading_anchors = 4
default_role = "py:obj"  # a name in backticks is a link where the reference has it, and code otherwise

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_inherit_docstrings = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
linkcode_resolve = sources.address_of
toc_object_entries_show_parents = "hide"

COLOURED = ("color-brand-primary", "color-brand-content", "color-api-name", "color-api-pre-name")
"""What is blue, as the first player is."""
html_theme = "furo"
html_title = "plyground"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_domain_indices = False
html_theme_options = {
    "light_css_variables": dict.fromkeys(COLOURED, "#1a56b0"),
    "dark_css_variables": dict.fromkeys(COLOURED, "#8ab4f8"),
}

setup = sources.setup
