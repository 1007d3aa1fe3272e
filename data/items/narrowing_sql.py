"""SQL conditions for the filters of a Selection, shared by all list and count queries."""

ONLY_SAMPLE = """not exists (
            select 1
            from runs
            where not is_sample
                and run_no not in (select run_no from run_removals)
        )"""


def run_is_counted(table: str = "runs") -> str:
    """The condition under which a row of `runs` counts, as SQL; `table` is its name or alias.

    The sample's runs count while nothing else is stored, or where runs are chosen. Every question
    that spans runs asks this.
    """
    return f"(not {table}.is_sample or len($runs::varchar[]) > 0 or {ONLY_SAMPLE})"


# Whether an item of a run carries all chosen slices; of a key with several values any of them.
IN_SLICES = """(
            $slice_keys = 0
            or len(
                list_filter(
                    map_entries(attributes),
                    lambda each: list_contains(
                        $slices::varchar[], each.key || chr(31) || each.value
                    )
                )
            ) = $slice_keys
        )"""

# Units with the chosen words in their own text.
WORDED_UNITS = """
worded_items as (
    select item_no, name, text
    from fields
    where $words is not null
        and contains(lower(text), lower($words))
),
worded_units as (
    select u.unit_no
    from units u
    left join worded_items f on f.item_no = u.item_no and f.name = u.field
    where $words is not null
        and contains(
            lower(coalesce(u.text, substr(f.text, u.span_start + 1, u.span_end - u.span_start))),
            lower($words)
        )
)"""
