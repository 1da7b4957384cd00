-- How a payment is found by the operator's own name of it. Run as the owner of the tables. What
-- bets move has no reference, so no bet writes here.
CREATE INDEX wallets_transfer_reference ON wallets_transfer (reference) WHERE reference IS NOT NULL;
