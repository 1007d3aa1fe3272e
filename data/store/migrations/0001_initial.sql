-- Portable subset: also runs on DuckLake, so no keys, sequences, enums, indexes or RETURNING.
-- Numbers (…_no) are dense integers given out inside the writing transaction; ids are content
-- hashes or caller's strings. Facts are only ever appended.

create table imports (
    import_id varchar not null,
    operation_id varchar not null,
    importer varchar not null,
    imported_at timestamp not null,
    is_sample boolean not null
);

create table imported_files (
    import_id varchar not null,
    file_name varchar not null,
    content_sha256 varchar not null,
    bytes bigint not null
);

create table runs (
    run_no integer not null,
    run_id varchar not null,
    import_id varchar not null,
    name varchar not null,
    protocol varchar not null,
    system varchar not null,
    is_sample boolean not null,
    imported_at timestamp not null,
    details varchar not null
);

-- A removed run stays in the file and out of every question.
create table run_removals (
    run_no integer not null,
    operation_id varchar not null,
    removed_by varchar not null,
    removed_at timestamp not null
);

create table items (
    item_no integer not null,
    item_id varchar not null,
    cutter varchar not null
);

create table fields (
    item_no integer not null,
    position smallint not null,
    name varchar not null,
    kind varchar not null,
    text varchar not null
);

-- A sentence's text is the slice of its field, so text is null; a claim brings its own words.
create table units (
    unit_no integer not null,
    item_no integer not null,
    unit_id varchar not null,
    position integer not null,
    kind varchar not null,
    field varchar not null,
    span_start integer,
    span_end integer,
    text varchar
);

create table run_items (
    run_no integer not null,
    item_no integer not null,
    position integer not null,
    external_id varchar not null,
    attributes map(varchar, varchar) not null
);

create table authors (
    author_no integer not null,
    kind varchar not null,
    name varchar not null
);

-- Current is what no later annotation supersedes.
create table annotations (
    annotation_no bigint not null,
    operation_id varchar not null,
    run_no integer not null,
    item_no integer not null,
    unit_no integer not null,
    criterion varchar not null,
    author_no integer not null,
    value varchar,
    problem varchar not null,
    rationale varchar not null,
    comment varchar not null,
    confidence double,
    links varchar[] not null,
    checks varchar[] not null,
    pieces struct(text varchar, span_start integer, span_end integer, value varchar, score double)[] not null,
    reply_id varchar,
    supersedes bigint,
    signed_at timestamp not null
);

create table excerpts (
    annotation_no bigint not null,
    item_no integer not null,
    position smallint not null,
    text varchar not null,
    tier varchar,
    coverage double,
    spans struct(field varchar, span_start integer, span_end integer)[] not null
);

create table adjudications (
    annotation_no bigint not null,
    item_no integer not null,
    reason varchar not null,
    error_class varchar not null,
    -- The last annotation the adjudicator had seen on this unit and criterion.
    seen_annotation_no bigint not null
);

create table replies (
    reply_id varchar not null,
    run_no integer not null,
    item_no integer not null,
    author_no integer not null,
    text varchar not null,
    notes varchar[] not null,
    model varchar not null,
    finish_reason varchar not null,
    fingerprint varchar not null,
    tokens_in bigint,
    tokens_out bigint,
    seconds double,
    replied_at timestamp not null
);

create table prompts (
    fingerprint varchar not null,
    protocol varchar not null,
    version varchar not null,
    system_text varchar not null,
    template varchar not null,
    carrier varchar not null,
    slots varchar[] not null,
    first_used_at timestamp not null
);

-- A protocol's number for one item and one author; the row with the highest summary_no counts.
-- `given` numbers came with the file and have no answers behind them.
create table summaries (
    summary_no bigint not null,
    run_no integer not null,
    item_no integer not null,
    author_no integer not null,
    name varchar not null,
    value double,
    counted integer not null,
    left_out integer not null,
    parts map(varchar, double) not null,
    given boolean not null
);

-- Column mappings of the generic table importer, remembered by the file's header.
create table column_mappings (
    mapping_no bigint not null,
    header_sha256 varchar not null,
    mapping varchar not null,
    saved_at timestamp not null
);

-- Every write leaves its operation here, so that a retry can be told from a new request.
create table operations (
    operation_id varchar not null,
    kind varchar not null,
    outcome varchar not null,
    finished_at timestamp not null
);
