"""Statistics: agreement coefficients, intervals and tests from small tables of counts.

Intervals are over items, never over sentences. Tables hold one row per item, so a filter is a
choice of rows. `docs/statistics.md` defines every number. Used by `data.agreement`, `data.compare`,
`data.distributions`, `data.runs` and the charts.
"""
