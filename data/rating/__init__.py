"""Rating: assignments, drafts, ticked reviews and submitted sheets of raters.

Loads only the texts of an item and the rater's own answers. Submitting a sheet stores its
annotations through `data.items`. Used by the rating page; the item page and exports use ticked
reviews.

Reads   annotations, assignments, authors, drafts, excerpts, items, rating_times, review_ticks,
        run_items, run_removals, runs, units
Writes  assignments, drafts, rating_times, review_ticks
"""
