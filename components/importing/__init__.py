"""Import page: from uploaded files to a preview and to stored runs.

Keeps uploads until they are stored, asks for format, options and the role of each column, and shows
problems and exactly what would be stored. Reading files and storing them is done by
`data.importing`.
"""
