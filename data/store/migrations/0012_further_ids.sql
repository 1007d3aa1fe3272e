-- Portable subset, as in 0001. Facts are only ever appended.

-- Records of a file with the same texts are one item. The id of the first stands in run_items, those
-- of all others here, so that the item is found under each of them.
create table further_ids (
    run_no integer not null,
    item_no integer not null,
    position integer not null,
    external_id varchar not null
);

-- Whether a name that looks like a model is a judge or a rater, as a person said at an import. Of a
-- name the latest choice counts.
create table annotator_kinds (
    choice_no bigint not null,
    operation_id varchar not null,
    name varchar not null,
    kind varchar not null
);
