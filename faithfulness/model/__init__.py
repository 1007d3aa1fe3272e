"""Model: the values and terms used everywhere, such as Item, Unit, Answer and Protocol.

Also scales, prompts, summaries, selections, roles, the errors shown to users, and how names, counts
and untrusted text are written. Imports no other package of Plumbline.
"""
