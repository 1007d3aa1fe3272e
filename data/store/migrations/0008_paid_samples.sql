-- Portable subset, as in 0001. Facts are only ever appended.

-- Replies of a batch whose answers are not kept yet: the first samples of a question that is asked
-- several times, or a reply that did not fit. They are paid for, so asking goes on from them.
-- `reply` is JSON text. Once their group stands in reply_facts they count there alone.
create table paid_samples (
    group_id varchar not null,
    sample_no smallint not null,
    reply varchar not null,
    cost double,
    replied_at timestamp not null
);
