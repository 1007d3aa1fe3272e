-- Portable subset, as in 0001. Facts are only ever appended.

-- Which review supports or contradicts a statement about how many customers say so, as a person
-- ticked it. The statement is a range of the response, the review a range of its field. Of a
-- statement, review and person the row with the highest tick_no counts; an empty stance takes the
-- tick back. Reviews belong to the item, so that ticks do too, whatever the protocol.
create table review_ticks (
    tick_no bigint not null,
    operation_id varchar not null,
    item_no integer not null,
    said_start integer not null,
    said_end integer not null,
    field varchar not null,
    review_start integer not null,
    review_end integer not null,
    stance varchar not null,
    ticked_by varchar not null,
    ticked_at timestamp not null
);
