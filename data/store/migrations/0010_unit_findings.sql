-- Portable subset, as in 0001. Facts are only ever appended.

-- What mechanical checks found against a unit, whoever answered about it; the order of
-- disagreements counts it. Of an item the rows of the latest version of the checks count.
create table unit_findings (
    item_no integer not null,
    unit_no integer not null,
    check_name varchar not null,
    kind varchar not null,
    checks_version integer not null
);

-- Items that the checks have read, so that one without findings is not read again. Items from
-- before this table are in neither until they are looked through again.
create table checked_items (
    item_no integer not null,
    checks_version integer not null
);
