-- What mechanical checks found on an annotation: marks for people, never labels. The unit's range
-- counts characters of the unit's text, the source's range characters of the field; both may be
-- null. Stores from before this table have none until they are looked through again.
create table findings (
    annotation_no bigint not null,
    item_no integer not null,
    unit_no integer not null,
    check_name varchar not null,
    kind varchar not null,
    unit_start integer,
    unit_end integer,
    source_field varchar,
    source_start integer,
    source_end integer,
    says varchar not null
);
