"""Some items or all, as SQL: in one place for every question that is asked again in part."""

ALL = "true"
# The range lets the engine skip blocks of the file; see `records.loading.between`.
OF_ITEMS = "item_no between $first and $last and item_no in (select unnest($numbers::integer[]))"
A_OF_ITEMS = OF_ITEMS.replace("item_no", "a.item_no")


def narrowed(question: str, *, some: bool) -> str:
    """A question with {of_items}, or {a_of_items} of annotations, in the place of a condition."""
    if some:
        return question.format(of_items=OF_ITEMS, a_of_items=A_OF_ITEMS)
    return question.format(of_items=ALL, a_of_items=ALL)
