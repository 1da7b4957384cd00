-- Reports read the ledger by time. Rows come in the order of time, so a summary of blocks will do.
CREATE INDEX wallets_transfer_at ON wallets_transfer USING brin (at) WITH (autosummarize = on);
