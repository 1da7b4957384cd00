-- What reports and the watch over returns need. Run by migration 0002 as the owner of the tables.

-- Rows come in the order of time, so a summary of blocks finds a day; it costs a bet next to
-- nothing, and unlike a B-tree it does not keep an update from staying on its page.
CREATE INDEX pontoon_round_settled ON pontoon_round USING brin (settled_at) WITH (autosummarize = on);
CREATE INDEX pontoon_roundmark_at ON pontoon_roundmark USING brin (at) WITH (autosummarize = on);

-- What was won and lost under a rule set in a currency, up to a time, and what that says of it.
-- Sums that the watch carries on; all of them can be reckoned again from the rounds.
CREATE TABLE pontoon_returnwatch (
    id                 text        NOT NULL PRIMARY KEY,
    rules              text        NOT NULL,
    currency           char(3)     NOT NULL,
    until              timestamptz NOT NULL,
    round_count        bigint      NOT NULL,
    stake_minor        numeric(40) NOT NULL,
    net_minor          numeric(40) NOT NULL,
    stake_minor_square numeric(60) NOT NULL,
    state              text        NOT NULL CHECK (state IN ('inside', 'above', 'below')),
    changed_at         timestamptz NOT NULL
);
