"""Import preview: what a prepared import contains, with warnings and questions.

Builds the manifest that is shown before anything is stored: runs, annotators, counts, inexact
quotations, copied raters, repeated or unused data. Questions only a person can answer stop the
import until they are answered.
"""
