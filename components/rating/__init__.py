"""Rating page: a rater's queue and form.

Prepares the texts and questions of an item, draws the form, keeps every step as a draft and submits
the sheet. Other annotators' answers are never sent to the browser.
"""
