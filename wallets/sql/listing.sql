-- How rare transfers are listed among many. Run as the owner of the tables. What every bet moves
-- (wager, settlement, payout) is not in it.
CREATE INDEX wallets_transfer_rare ON wallets_transfer (player_id, version DESC)
 WHERE code IN ('deposit', 'withdrawal', 'hold', 'release', 'refund', 'reversal', 'adjustment', 'rake');
