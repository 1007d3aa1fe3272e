"""Agreement page: compare a judge with a reference label by label.

Choose question, reference and judge; show coefficients with intervals, the confusion matrix, rater
agreement, slices, bias-corrected rates, the replaceability test and the effect of each policy. A
click on a cell, bar or slice lists its units. Numbers come from `data.agreement`, which `pages`
passes in; the drawing is in `components.charts`.
"""
