"""Several raters: agreement with gaps, reliability of each rater, intraclass correlation.

Works on sums over units that several annotators labeled. Includes the model of Dawid and Skene for
raters without a reference. Used by `data.agreement` and the agreement page.
"""
