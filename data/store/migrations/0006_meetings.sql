-- Portable subset, as in 0001. Facts are only ever appended.

create table meetings (
    meeting_id varchar not null,
    operation_id varchar not null,
    title varchar not null,
    host varchar not null,
    hides_authors boolean not null,
    began_at timestamp not null
);

-- What is to be talked about, in this order; what is added later stands behind.
create table meeting_points (
    meeting_id varchar not null,
    operation_id varchar not null,
    position integer not null,
    run_no integer not null,
    item_no integer not null,
    unit_no integer not null,
    criterion varchar not null
);

-- present (`people` are all who are there from now on), deferred (`text` says why), timed (only
-- seconds), finished. An event about no point has no item, no unit and an empty criterion.
create table meeting_events (
    event_no bigint not null,
    operation_id varchar not null,
    meeting_id varchar not null,
    kind varchar not null,
    run_no integer,
    item_no integer,
    unit_no integer,
    criterion varchar not null,
    people varchar[] not null,
    text varchar not null,
    seconds double not null,
    told_by varchar not null,
    happened_at timestamp not null
);

-- What belongs to an adjudication beyond its reason. `how` is decided (somebody settled this very
-- unit), like (a decision on a like unit, named by its operation, was applied) or unanimous (all
-- raters say so). `guidance` and `prompt` are the fingerprints of what was in force. Decisions from
-- before this table have no row.
create table decision_facts (
    annotation_no bigint not null,
    item_no integer not null,
    meeting_id varchar not null,
    how varchar not null,
    follows varchar not null,
    guidance varchar not null,
    prompt varchar not null,
    seconds double not null
);

-- Wording that somebody proposes for a protocol's guidance, with the unit it came up on if any.
create table guideline_proposals (
    proposal_no bigint not null,
    operation_id varchar not null,
    meeting_id varchar not null,
    protocol varchar not null,
    section varchar not null,
    wording varchar not null,
    run_no integer,
    item_no integer,
    unit_no integer,
    criterion varchar not null,
    proposed_by varchar not null,
    proposed_at timestamp not null
);

-- Somebody looked at a decision again under changed words, and it stands.
create table decision_checks (
    annotation_no bigint not null,
    operation_id varchar not null,
    guidance varchar not null,
    prompt varchar not null,
    checked_by varchar not null,
    checked_at timestamp not null
);
