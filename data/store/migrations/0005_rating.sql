-- Portable subset, as in 0001. Facts are only ever appended.

-- What a rater has on their sheet before signing, one row for each step. Of a unit the row with
-- the highest draft_no counts; a row of kind "time" only brings seconds, one of kind "signed"
-- closes what came before it. `state` is JSON text, `seconds` the time spent on the unit since the
-- step before. A rater is named, because an author's number is given out with the first signature.
create table drafts (
    draft_no bigint not null,
    operation_id varchar not null,
    step_id varchar not null,
    run_no integer not null,
    item_no integer not null,
    rater varchar not null,
    unit_id varchar not null,
    kind varchar not null,
    state varchar not null,
    seconds double not null,
    saved_at timestamp not null
);

-- How long a rater worked on each unit, up to the signature of this operation.
create table rating_times (
    operation_id varchar not null,
    run_no integer not null,
    item_no integer not null,
    unit_id varchar not null,
    author_no integer not null,
    seconds double not null,
    signed_at timestamp not null
);

-- Who is to rate what. Of a rater, item and purpose the row with the highest assignment_no counts.
create table assignments (
    assignment_no bigint not null,
    operation_id varchar not null,
    run_no integer not null,
    item_no integer not null,
    rater varchar not null,
    purpose varchar not null,
    is_withdrawn boolean not null,
    assigned_by varchar not null,
    assigned_at timestamp not null
);
