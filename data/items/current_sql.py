"""SQL fragments that restrict queries to current annotations, decisions and findings."""

from faithfulness.model.vocabulary import TAKEN_BACK

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

# Whether a decision was made on one of these items that stands in another run as well. Mostly none
# was, and then the questions below cost nothing.
DECIDED_FOR_OTHER_RUNS = """
select 1
from annotations a
where {a_of_items}
    and author_no in (select author_no from authors where kind = 'adjudicator')
    and item_no in (
        select item_no
        from run_items
        where {of_items}
        group by item_no
        having min(run_no) <> max(run_no)
    )
limit 1
"""

# The decisions that count in each run: of every unit and criterion the last one under the protocol,
# whichever run it was made in (`home_no`). The rows stand in place of adjudicators' annotations.
DECISIONS_IN_RUNS = f"""
decisions as (
    select d.* exclude (run_no, protocol), n.run_no, d.run_no as home_no
    from (
        select a.*, r.protocol
        from annotations a
        join runs r on r.run_no = a.run_no
        where {{a_of_items}}
            and a.author_no in (select author_no from authors where kind = 'adjudicator')
            and a.run_no not in (select run_no from run_removals)
            and a.annotation_no not in ({GONE} and {{of_items}})
        qualify row_number() over (
            partition by a.unit_no, r.protocol, a.criterion
            order by a.value is null, a.annotation_no desc
        ) = 1
    ) d
    join runs s on s.protocol = d.protocol
    join run_items n on n.run_no = s.run_no and n.item_no = d.item_no
    where s.run_no not in (select run_no from run_removals)
)"""  # noqa: S608 - put together from constants
# In place of a table of annotations `a`: everybody's own, and these decisions.
WITH_DECISIONS = """(
        select *, run_no as home_no
        from annotations
        where author_no not in (select author_no from authors where kind = 'adjudicator')
        union all by name
        select *
        from decisions
    ) a"""

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

# The condition of findings `a` on units: of an item those of the latest checks that read it count.
LATEST_FINDINGS = """not exists (
            select 1
            from checked_items c
            where c.item_no = a.item_no
                and c.checks_version > a.checks_version
        )"""
