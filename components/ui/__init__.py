"""Shared UI: page frame, router, URL state, filters, session, sign-in, tables and text output.

Every page runs inside `frame`, which opens the store and shows errors users can act on. `address`
converts between a Selection and the page URL; `session` is the only place with session state;
`plain` is the only way untrusted text reaches a Streamlit widget. Used by all pages and
components.
"""
