"""Agreement: labels of a judge and a reference as count tables, and the numbers made from them.

Chooses the items both sides labeled, counts label pairs per item, lists the units of a cell, and
reports raters among themselves, slices and comparisons across protocols under each policy.
The agreement page, the command `agree`, the exports and `data.compare` use it. The statistics
are in `faithfulness.statistics`.

Reads   annotations, authors, excerpts, fields, items, meeting_points, meetings, run_items,
        run_removals, runs, units
"""
