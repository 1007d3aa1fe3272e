-- Portable subset, as in 0001. Facts are only ever appended.

-- Units that somebody wants to talk about in a meeting; of a unit under a protocol the last line
-- counts, whoever wrote it.
create table meeting_marks (
    mark_no bigint not null,
    operation_id varchar not null,
    run_no integer not null,
    item_no integer not null,
    unit_no integer not null,
    is_on boolean not null,
    marked_by varchar not null,
    marked_at timestamp not null
);
