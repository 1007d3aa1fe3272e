"""Document: show headings, quotations and tables of untrusted text as plain text.

A browser component for the blocks of `faithfulness.review`: minutes and guideline notes, shown
character by character and never interpreted as Markdown or HTML.
"""
