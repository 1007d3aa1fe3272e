"""UI building blocks of the pages.

Pages pass values and callbacks in and get user actions back. Components run no SQL and do not open
the store. Each capability has a package of its own; `ui`, `charts` and `evidence` are shared by all
of them. Style sheets and scripts used by several components are in `components/assets`.
"""
