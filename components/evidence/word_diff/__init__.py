"""Word diff: two versions of a text as one, with removed and added words marked.

A browser component; the differences are computed in `faithfulness.text`, and letters, blanks and
line ends all count. Used for the versions of a prompt.
"""
