"""Modules in place of libraries that Python in a browser lacks, with the parts that a page needs."""
