-- What was settled in each minute: what the floor watches, without reading a million rounds. Sums
-- that can be reckoned again from the rounds. Run as the owner of the tables.
CREATE TABLE pontoon_minute (
    minute        timestamptz NOT NULL,
    currency      char(3)     NOT NULL,
    rules         text        NOT NULL,
    round_count   bigint      NOT NULL,  -- below 0 where more was voided than settled
    stake_minor   bigint      NOT NULL,
    wagered_minor bigint      NOT NULL,
    payout_minor  bigint      NOT NULL,
    PRIMARY KEY (minute, currency, rules)
);

-- Up to which moment that is done, and when it was last done: one row.
CREATE TABLE pontoon_tally (
    id    smallint    NOT NULL PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    until timestamptz NOT NULL,
    at    timestamptz NOT NULL
);
