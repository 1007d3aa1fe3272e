-- Portable subset, as in 0001.

-- An answer settled from several samples kept the share of samples as its confidence, which is not
-- what the judge stated. The share stays known from sample_answers.
update annotations
set confidence = null
where confidence is not null
    and reply_id in (select reply_id from reply_facts where samples > 1);
