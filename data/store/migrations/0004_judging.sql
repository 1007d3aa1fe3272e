-- Portable subset, as in 0001. Facts are only ever appended.

-- What belongs to a reply beyond its words. The samples of one question share a group_id; a
-- batch names its groups "batch_id/item_no". `settings` is JSON text and never holds a key,
-- `endpoint` is a host; an unknown cost is null, never 0.
create table reply_facts (
    reply_id varchar not null,
    group_id varchar not null,
    sample_no smallint not null,
    samples smallint not null,
    cost double,
    settings varchar not null,
    endpoint varchar not null
);

-- What each of several samples said; the annotation signed is what they were settled to.
create table sample_answers (
    reply_id varchar not null,
    item_no integer not null,
    unit_no integer not null,
    criterion varchar not null,
    value varchar,
    problem varchar not null
);

create table batches (
    batch_id varchar not null,
    operation_id varchar not null,
    run_no integer not null,
    author_no integer not null,
    fingerprint varchar not null,
    samples smallint not null,
    settings varchar not null,
    asked_by varchar not null,
    started_at timestamp not null
);

-- What was to be asked. A task is done when its group of replies is stored.
create table batch_tasks (
    batch_id varchar not null,
    item_no integer not null,
    position integer not null
);

-- failed (the text begins with the kind of failure), paused, stopped, resumed, finished.
create table batch_events (
    batch_id varchar not null,
    happened_at timestamp not null,
    kind varchar not null,
    item_no integer,
    text varchar not null
);

-- Who made a prompt version, from which one, and why; its words are in prompts.
create table prompt_notes (
    fingerprint varchar not null,
    based_on varchar not null,
    note varchar not null,
    made_by varchar not null,
    made_at timestamp not null
);
