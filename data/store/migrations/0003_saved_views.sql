-- Portable subset, as in 0001. The address of a page under a name; of a name, the row with the
-- highest view_no counts, and one that is removed stays in the file and out of every list.

create table saved_views (
    view_no bigint not null,
    operation_id varchar not null,
    name varchar not null,
    page varchar not null,
    address varchar not null,
    is_removed boolean not null,
    saved_at timestamp not null
);
