-- The cage held against the entries that tell of it: one statement a law, one row a fault. Read by
-- `wallets.queries.record_faults`.

-- A wallet knows how many limits it has, and the time of its last act.
SELECT format('wallet %s: counts %s limits, has %s', a.player_id, a.limit_count, count(l.id))
  FROM wallets_account a LEFT JOIN wallets_limit l USING (player_id)
 WHERE a.kind = 'cash'
 GROUP BY a.player_id, a.limit_count
HAVING a.limit_count <> count(l.id);

SELECT format('wallet %s: no act was at %s, its last', a.player_id, a.last_at)
  FROM wallets_account a
 WHERE a.kind = 'cash' AND a.last_at <> 'epoch'
   AND NOT EXISTS (SELECT FROM audit_entry e WHERE e.player_id = a.player_id AND e.at = a.last_at)
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(a.last_at) >= v.from_id AND audit_first_id(a.last_at) < v.to_id);

-- A transfer was written in the transaction of its entry.
SELECT format('transfer %s: no entry is of its transaction', t.id)
  FROM wallets_transfer t
 WHERE NOT EXISTS (SELECT FROM audit_entry e
                    WHERE (e.player_id, e.at, e.cluster, e.xid) = (t.player_id, t.at, t.cluster, t.xid))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(t.at) >= v.from_id AND audit_first_id(t.at) < v.to_id);

-- A limit is as its entry tells it, and none is gone.
SELECT format('limit %s of player %s: no entry tells of it so', l.id, l.player_id)
  FROM wallets_limit l
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb -> 'payload' AS told) p
         WHERE (e.player_id, e.at, e.event) = (l.player_id, l.at, 'limit.set')
           AND (told->>'kind', told->>'period', told->>'set_by') = (l.kind, l.period, l.set_by)
           AND (told #>> '{after,amount_minor}')::bigint IS NOT DISTINCT FROM l.amount_minor
           AND (told #>> '{after,effective_at}')::timestamptz = l.effective_at)
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(l.at) >= v.from_id AND audit_first_id(l.at) < v.to_id);

SELECT format('limit of player %s: is gone; entry %s tells of it', e.player_id, e.id)
  FROM audit_entry e
 WHERE e.event = 'limit.set'
   AND NOT EXISTS (SELECT FROM wallets_limit l WHERE (l.player_id, l.at) = (e.player_id, e.at));

-- An adjustment is as its entry tells that it was asked for, and none is gone.
SELECT format('adjustment %s: no entry tells of it so', a.id)
  FROM wallets_adjustment a
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb -> 'payload' AS told) p
         WHERE (e.player_id, e.at, e.event, e.subject, e.actor)
               = (a.player_id, a.raised_at, 'adjustment.raised', 'adjustment:' || a.id, a.raised_by)
           AND (told->>'reason', told #>> '{after,kind}', told #>> '{after,currency}')
               = (a.reason, a.kind, a.currency)
           AND (told #>> '{after,amount_minor}')::bigint = a.amount_minor
           AND (told #>> '{after,round_id}')::uuid IS NOT DISTINCT FROM a.round_id)
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(a.raised_at) >= v.from_id AND audit_first_id(a.raised_at) < v.to_id);

SELECT format('%s: is gone; entry %s tells of it', e.subject, e.id)
  FROM audit_entry e
 WHERE e.event = 'adjustment.raised'
   AND NOT EXISTS (SELECT FROM wallets_adjustment a
                    WHERE (a.player_id, 'adjustment:' || a.id) = (e.player_id, e.subject));

-- And so is what was decided on it.
SELECT format('adjustment %s: no entry tells that it is %s so', d.adjustment_id, d.verdict)
  FROM wallets_adjustmentdecision d
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e
         WHERE (e.player_id, e.at, e.event, e.subject, e.actor)
               = (d.player_id, d.decided_at, 'adjustment.' || d.verdict,
                  'adjustment:' || d.adjustment_id, d.decided_by)
           AND e.body::jsonb #>> '{payload,reason}' = d.reason)
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(d.decided_at) >= v.from_id AND audit_first_id(d.decided_at) < v.to_id);

SELECT format('%s: its decision is gone; entry %s tells of it', e.subject, e.id)
  FROM audit_entry e
 WHERE e.event IN ('adjustment.approved', 'adjustment.declined')
   AND NOT EXISTS (SELECT FROM wallets_adjustmentdecision d
                    WHERE (d.player_id, 'adjustment:' || d.adjustment_id) = (e.player_id, e.subject));
