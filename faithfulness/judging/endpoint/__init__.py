"""Endpoint judge: a model behind an OpenAI-compatible HTTP endpoint.

Checks the address, limits time and size, builds the reply schema, keeps the key in memory and
explains failures. The only package that imports the OpenAI client. Created by
`faithfulness.judging`.
"""
