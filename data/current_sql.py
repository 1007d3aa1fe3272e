"""Which annotations do not count any more, as SQL: in one place for every question that counts."""

from faithfulness.vocabulary import TAKEN_BACK

# What a later one superseded. A decision that was taken back leaves nothing that counts: the row
# that takes it back has no value, and is no answer that could not be read. It always supersedes
# one, so that its number is found on the way; more conditions can be added at the end.
GONE = f"""
select unnest(
    case
        when value is null and problem = '{TAKEN_BACK}' then [supersedes, annotation_no]
        else [supersedes]
    end
)
from annotations
where supersedes is not null
"""  # noqa: S608 - put together from constants
