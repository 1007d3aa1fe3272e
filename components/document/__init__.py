"""A document of headings, words, quotes and tables on a page."""
