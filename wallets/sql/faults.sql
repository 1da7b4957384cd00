-- What must never be found in the ledger, one statement a law, one row a fault. Read by
-- `wallets.queries.ledger_faults`.

-- A stored balance is the sum of the account's transfers.
SELECT format('account %s (%s): balance %s, transfers %s', a.id, a.kind, a.balance_minor, coalesce(m.minor, 0))
  FROM wallets_account a
  LEFT JOIN (
    SELECT player_id, account_id, sum(minor) AS minor FROM (
        SELECT player_id, debit_account_id AS account_id, -amount_minor AS minor FROM wallets_transfer
         UNION ALL
        SELECT player_id, credit_account_id, amount_minor FROM wallets_transfer) legs
     GROUP BY player_id, account_id) m ON m.player_id = a.player_id AND m.account_id = a.id
 WHERE a.balance_minor IS NOT NULL AND a.balance_minor <> coalesce(m.minor, 0);

-- A transfer moves money between accounts that exist, of its own player or the house, in one currency.
SELECT format('transfer %s: its accounts are not of player %s and the house', t.id, t.player_id)
  FROM wallets_transfer t
 WHERE 2 <> (SELECT count(*) FROM wallets_account a
              WHERE a.player_id IN (t.player_id, '00000000-0000-0000-0000-000000000000')
                AND a.id IN (t.debit_account_id, t.credit_account_id) AND a.currency = t.currency);

-- A wallet's versions have no gap, and its account knows the last.
SELECT format('wallet %s: version %s, %s transfers, last %s', a.player_id, a.version, count(t.id), max(t.version))
  FROM wallets_account a LEFT JOIN wallets_transfer t USING (player_id)
 WHERE a.kind = 'cash'
 GROUP BY a.player_id, a.version
HAVING a.version <> count(t.id) OR a.version <> coalesce(max(t.version), 0);

-- At every version the balance on record is the sum so far.
SELECT format('transfer %s: balance after it %s, sum so far %s', id, balance_after_minor, running_minor)
  FROM (
    SELECT t.id, t.balance_after_minor,
           sum(CASE a.id WHEN t.credit_account_id THEN t.amount_minor
                         WHEN t.debit_account_id THEN -t.amount_minor ELSE 0 END)
               OVER (PARTITION BY t.player_id ORDER BY t.version) AS running_minor
      FROM wallets_transfer t
      JOIN wallets_account a ON a.player_id = t.player_id AND a.kind = 'cash') so_far
 WHERE balance_after_minor <> running_minor OR running_minor < 0;

-- Time does not run backwards in a wallet.
SELECT format('transfer %s is earlier than the one before it', id)
  FROM (SELECT id, at, lag(at) OVER (PARTITION BY player_id ORDER BY version) AS before
          FROM wallets_transfer) lined_up
 WHERE at < before;

-- The house's roll-up and its tail are the transfers, on either side.
SELECT format('account %s (%s): rolled up -%s +%s, transfers -%s +%s', a.id, a.kind,
              s.debit_minor, s.credit_minor, m.debit_minor, m.credit_minor)
  FROM wallets_account a
 CROSS JOIN LATERAL wallet_house_sums(a.id) s
 CROSS JOIN LATERAL (
    SELECT coalesce(sum(t.amount_minor) FILTER (WHERE t.debit_account_id = a.id), 0) AS debit_minor,
           coalesce(sum(t.amount_minor) FILTER (WHERE t.credit_account_id = a.id), 0) AS credit_minor
      FROM wallets_transfer t WHERE a.id IN (t.debit_account_id, t.credit_account_id)) m
 WHERE a.kind IN ('house', 'cashier')
   AND (s.debit_minor, s.credit_minor) <> (m.debit_minor, m.credit_minor);

-- Debits are credits: what the players' side and the house's side hold is nothing in all.
SELECT format('%s: the accounts sum to %s', currency, sum(minor))
  FROM (
    SELECT currency, balance_minor::numeric AS minor FROM wallets_account WHERE balance_minor IS NOT NULL
     UNION ALL
    SELECT a.currency, s.credit_minor - s.debit_minor
      FROM wallets_account a CROSS JOIN LATERAL wallet_house_sums(a.id) s
     WHERE a.kind IN ('house', 'cashier')) held
 GROUP BY currency HAVING sum(minor) <> 0;

-- A transfer's code says between which accounts it moves.
SELECT format('transfer %s: a %s does not go from %s to %s', t.id, t.code, d.kind, c.kind)
  FROM wallets_transfer t
  JOIN wallets_account d ON d.id = t.debit_account_id
   AND d.player_id IN (t.player_id, '00000000-0000-0000-0000-000000000000')
  JOIN wallets_account c ON c.id = t.credit_account_id
   AND c.player_id IN (t.player_id, '00000000-0000-0000-0000-000000000000')
 WHERE (t.code, d.kind, c.kind) NOT IN (
    ('deposit', 'cashier', 'cash'), ('withdrawal', 'cash', 'cashier'),
    ('wager', 'cash', 'escrow'), ('settlement', 'escrow', 'house'),
    ('payout', 'house', 'cash'), ('hold', 'house', 'held'), ('release', 'held', 'cash'),
    ('refund', 'escrow', 'cash'), ('refund', 'house', 'cash'),
    ('reversal', 'cash', 'house'), ('reversal', 'held', 'house'), ('reversal', 'receivable', 'house'),
    ('adjustment', 'house', 'cash'), ('adjustment', 'cash', 'house'),
    ('adjustment', 'cash', 'receivable'), ('adjustment', 'house', 'receivable'));

-- An adjustment is what one person asked for and another approved, once.
SELECT format('transfer %s: an adjustment that nobody approved', t.id)
  FROM wallets_transfer t
  JOIN wallets_account d ON d.id = t.debit_account_id
   AND d.player_id IN (t.player_id, '00000000-0000-0000-0000-000000000000')
  JOIN wallets_account c ON c.id = t.credit_account_id
   AND c.player_id IN (t.player_id, '00000000-0000-0000-0000-000000000000')
 WHERE t.code = 'adjustment'
   AND NOT EXISTS (SELECT FROM wallets_adjusting a
                    WHERE a.player_id = t.player_id AND a.id::text = t.reference
                      AND a.state = 'approved' AND a.amount_minor = t.amount_minor
                      AND (a.kind, d.kind, c.kind) IN (
                          ('credit', 'house', 'cash'), ('debit', 'cash', 'house'),
                          ('settle', 'cash', 'receivable'), ('write_off', 'house', 'receivable')));
SELECT format('adjustment %s: approved, and has %s transfers', a.id, count(t.id))
  FROM wallets_adjusting a
  LEFT JOIN wallets_transfer t
    ON t.player_id = a.player_id AND t.code = 'adjustment' AND t.reference = a.id::text
 WHERE a.state = 'approved'
 GROUP BY a.player_id, a.id HAVING count(t.id) <> 1;
