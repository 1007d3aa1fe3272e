"""Access: the one open store of the app, and the roles of users who sign in.

Pages and `app.py` get the store from here; it is guarded for the visitor of each browser session.
Roles come from the operator's file (`PLUMBLINE_ROLES`). The only package in `data` that imports
Streamlit. Runs no SQL.
"""
