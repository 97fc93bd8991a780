"""The microscope: a search recorded node by node, drawn, compared with others, and asked about."""
