"""Which annotations count and which do not any more, as SQL: in one place for every question."""

from faithfulness.vocabulary import TAKEN_BACK

# The row that takes a decision back: it has no value, is no answer that could not be read, and
# always supersedes one.
TAKES_BACK = f"supersedes is not null and value is null and problem = '{TAKEN_BACK}'"

# What a later one superseded. A decision that was taken back leaves nothing that counts, so that
# the number of the row that takes it back is found on the way; more conditions can be added at the
# end.
GONE = f"""
select unnest(case when {TAKES_BACK} then [supersedes, annotation_no] else [supersedes] end)
from annotations
where supersedes is not null
"""  # noqa: S608 - put together from constants

# The end of a question about annotations `a`: of each author the last readable answer on a unit,
# whichever run it stands in.
LAST_READABLE = """
        and a.value is not null
        and a.annotation_no not in (
            select supersedes from annotations where supersedes is not null
        )
    qualify row_number() over (
        partition by a.unit_no, a.author_no
        order by a.annotation_no desc
    ) = 1"""
