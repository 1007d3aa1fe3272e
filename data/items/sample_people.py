"""SQL for the names of raters who exist only in the sample and have done no work in this store."""

# Raters are looked up in the summaries, which are few beside annotations. Whoever rates on a page
# has drafts, in the sample too; whoever settles something signs as an adjudicator.
SAMPLE_RATERS = """
sample_raters as (
    select w.name
    from authors w
    join summaries s on s.author_no = w.author_no
    join runs r on r.run_no = s.run_no
    where w.kind = 'rater'
        and w.name not in (select rater from drafts where kind <> 'time')
        and w.name not in (select name from authors where kind = 'adjudicator')
    group by w.name
    having bool_and(r.is_sample)
)
"""
