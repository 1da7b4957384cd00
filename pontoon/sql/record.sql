-- What stands beside the rounds, held against the entries that tell of it: one statement a law, one
-- row a fault. Read by `pontoon.queries.record_faults`.

-- Actions, marks and seeds are of the time of an entry.
SELECT format('round %s: no entry is of the time of its action %s', a.round_id, a.seq)
  FROM pontoon_roundaction a
 WHERE NOT EXISTS (SELECT FROM audit_entry e
                    WHERE (e.player_id, e.at, e.subject) = (a.player_id, a.at, 'round:' || a.round_id))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(a.at) >= v.from_id AND audit_first_id(a.at) < v.to_id);

SELECT format('round %s: no entry is of the time at which it is marked %s', m.round_id, m.mark)
  FROM pontoon_roundmark m
 WHERE NOT EXISTS (SELECT FROM audit_entry e
                    WHERE (e.player_id, e.at, e.subject) = (m.player_id, m.at, 'round:' || m.round_id))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(m.at) >= v.from_id AND audit_first_id(m.at) < v.to_id);

SELECT format('seed %s of player %s: no entry is of its time', s.number, s.player_id)
  FROM pontoon_seed s
 WHERE NOT EXISTS (SELECT FROM audit_entry e WHERE (e.player_id, e.at) = (s.player_id, s.at))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(s.at) >= v.from_id AND audit_first_id(s.at) < v.to_id);

-- A seed has a round, but the last of each player, and their numbers have no gap.
SELECT format('player %s: has seeds %s to %s, %s of them', player_id, min(number), max(number), count(*))
  FROM pontoon_seed GROUP BY player_id HAVING min(number) <> 0 OR max(number) <> count(*) - 1;

-- An action was taken in a session of its player.
SELECT format('round %s: its action %s is of no session of its player', a.round_id, a.seq)
  FROM pontoon_roundaction a
 WHERE a.session_id IS NOT NULL
   AND NOT EXISTS (SELECT FROM players_playsession s WHERE (s.id, s.player_id) = (a.session_id, a.player_id));

-- A stored answer is the one that the entry of its act tells of, and none is gone.
WITH told AS (
    SELECT e.id, e.player_id, substr(e.subject, 7) AS round_id, e.body::jsonb #> '{payload,answer}' AS answer
      FROM audit_entry e WHERE e.subject LIKE 'round:%' AND e.body LIKE '%"answer":{%'
)
SELECT CASE WHEN a.key IS NULL
            THEN format('answer %s of player %s: is gone; entry %s tells of it', t.answer->>'key', t.player_id, t.id)
            ELSE format('answer %s of player %s: is not the one of which entry %s tells', a.key, a.player_id, t.id) END
  FROM told t LEFT JOIN pontoon_answer a ON a.player_id = t.player_id AND a.key = t.answer->>'key'
 WHERE t.answer IS NOT NULL
   AND (a.round_id::text, encode(a.fingerprint, 'hex'), encode(sha256(convert_to(a.body, 'UTF8')), 'hex'))
       IS DISTINCT FROM (t.round_id, t.answer->>'fingerprint', t.answer->>'sha256');

-- And each is one of which an entry tells, unless its round is older than such entries.
WITH told AS (
    SELECT e.player_id, e.subject, e.body::jsonb #>> '{payload,answer,key}' AS key
      FROM audit_entry e WHERE e.subject LIKE 'round:%'
)
SELECT format('answer %s of player %s: no entry tells of it', a.key, a.player_id)
  FROM pontoon_answer a
 WHERE NOT EXISTS (SELECT FROM told t WHERE (t.player_id, t.key) = (a.player_id, a.key))
   AND (EXISTS (SELECT FROM told t WHERE t.subject = 'round:' || a.round_id AND t.key IS NOT NULL)
        OR NOT EXISTS (SELECT FROM pontoon_round r WHERE (r.player_id, r.id) = (a.player_id, a.round_id)));

-- A suspension is as the entry of who raised it tells, its own or its malfunction's, and none is gone.
SELECT format('suspension %s: no entry tells of it so', s.id)
  FROM pontoon_suspension s
 WHERE (NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb -> 'payload' AS told) p
         WHERE e.subject IN ('suspension:' || s.id, 'malfunction:' || s.malfunction_id)
           AND (e.at, e.actor) = (s.raised_at, s.raised_by) AND told->'scope' = s.scope
           AND ((e.event, e.subject, told->>'reason') = ('suspension.raised', 'suspension:' || s.id, s.reason)
                AND s.malfunction_id IS NULL
                OR (e.event, e.subject, told->>'suspension_id', told->>'cause')
                   = ('malfunction.raised', 'malfunction:' || s.malfunction_id, s.id::text, s.reason)))
        OR s.player_id::text IS DISTINCT FROM coalesce(
            s.scope->>'player',
            (SELECT r.player_id::text FROM pontoon_round r
              WHERE r.id = CASE WHEN s.scope->>'round' ~ '^[0-9a-f-]{36}$' THEN (s.scope->>'round')::uuid END)))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(s.raised_at) >= v.from_id AND audit_first_id(s.raised_at) < v.to_id);

SELECT format('suspension %s: is gone; entry %s tells of it', told.id, e.id)
  FROM audit_entry e, LATERAL (SELECT CASE e.event
           WHEN 'suspension.raised' THEN substr(e.subject, 12)
           ELSE e.body::jsonb #>> '{payload,suspension_id}' END AS id) told
 WHERE e.event IN ('suspension.raised', 'malfunction.raised')
   AND NOT EXISTS (SELECT FROM pontoon_suspension s WHERE s.id::text = told.id);

-- It was lifted as an entry tells: its own, or that with which its malfunction was over.
SELECT format('suspension %s: no entry tells that it was lifted so', s.id)
  FROM pontoon_suspension s
 WHERE s.lifted_at IS NOT NULL
   AND NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb #>> '{payload,reason}' AS reason) told
         WHERE e.subject IN ('suspension:' || s.id, 'malfunction:' || s.malfunction_id)
           AND (e.at, e.actor) = (s.lifted_at, s.lifted_by)
           AND ((e.event, e.subject, reason) = ('suspension.lifted', 'suspension:' || s.id, s.lift_reason)
                OR (e.event IN ('malfunction.void_refused', 'malfunction.cleared') AND reason = s.lift_reason
                    OR e.event = 'malfunction.voided' AND s.lift_reason = 'voided')
                   AND e.subject = 'malfunction:' || s.malfunction_id))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(s.lifted_at) >= v.from_id AND audit_first_id(s.lifted_at) < v.to_id);

SELECT format('suspension %s: stands, and entry %s tells that it was lifted', s.id, e.id)
  FROM audit_entry e
  JOIN pontoon_suspension s ON e.subject IN ('suspension:' || s.id, 'malfunction:' || s.malfunction_id)
 WHERE e.event IN ('suspension.lifted', 'malfunction.void_refused', 'malfunction.cleared')
   AND s.lifted_at IS NULL;

-- A malfunction is as it was raised, and none is gone.
SELECT format('malfunction %s: no entry tells of it so', m.id)
  FROM pontoon_malfunction m
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb -> 'payload' AS told) p
         WHERE (e.at, e.event, e.subject, e.actor)
               = (m.raised_at, 'malfunction.raised', 'malfunction:' || m.id, m.raised_by)
           AND (told->>'cause', told->'scope', told->'evidence') = (m.cause, m.scope, m.evidence)
           -- The first entries of this kind did not tell it.
           AND (NOT told ? 'fault_key' OR told->>'fault_key' IS NOT DISTINCT FROM m.fault_key))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(m.raised_at) >= v.from_id AND audit_first_id(m.raised_at) < v.to_id);

SELECT format('%s: is gone; entry %s tells of it', e.subject, e.id)
  FROM audit_entry e
 WHERE e.event = 'malfunction.raised'
   AND NOT EXISTS (SELECT FROM pontoon_malfunction m WHERE 'malfunction:' || m.id = e.subject);

-- It stands where its last act led, and each act is as an entry tells it.
SELECT format('malfunction %s: is %s after %s acts, and they led elsewhere', m.id, m.state, m.act_count)
  FROM pontoon_malfunction m
  LEFT JOIN LATERAL (
        SELECT number, state, at FROM pontoon_malfunctionact a
         WHERE a.malfunction_id = m.id ORDER BY number DESC LIMIT 1) last ON true
 WHERE (m.state, m.state_at, m.act_count) IS DISTINCT FROM (last.state, last.at, last.number)
    OR m.act_count <> (SELECT count(*) FROM pontoon_malfunctionact a WHERE a.malfunction_id = m.id);

SELECT format('malfunction %s: no entry tells of its act %s so', a.malfunction_id, a.number)
  FROM pontoon_malfunctionact a
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb -> 'payload' AS told) p
         WHERE (e.at, e.subject, e.actor, told->>'after')
               = (a.at, 'malfunction:' || a.malfunction_id, a.actor, a.state)
           AND told @> a.facts
           AND a.facts @> (told - CASE a.state
                WHEN 'raised' THEN '{scope,before,after,suspension_id,fault_key}'
                WHEN 'done' THEN '{scope,before,after,raised_by,authorised_by,reason,malfunction_id}'
                ELSE '{scope,before,after,raised_by,authorised_by}' END::text[]))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(a.at) >= v.from_id AND audit_first_id(a.at) < v.to_id);

SELECT format('%s: an act is gone; entry %s tells of it', e.subject, e.id)
  FROM audit_entry e
 WHERE e.subject LIKE 'malfunction:%'
   AND NOT EXISTS (SELECT FROM pontoon_malfunctionact a
                    WHERE ('malfunction:' || a.malfunction_id, a.at) = (e.subject, e.at));

-- What a player is told of a round is as the entry of that act tells it, and he reads his own.
SELECT format('notice %s of player %s: no entry tells of it so', n.id, n.player_id)
  FROM pontoon_notice n
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb -> 'payload' AS told) p
         WHERE (e.player_id, e.at, e.subject) = (n.player_id, n.at, 'round:' || n.round_id)
           AND (e.event, n.kind) IN (('round.voided', 'round_voided'), ('round.held', 'round_held'),
                ('round.held_on', 'round_held'), ('round.released', 'round_released'))
           AND coalesce(told->>'reason', '') = n.reason
           AND (told->>'malfunction_id')::uuid IS NOT DISTINCT FROM n.malfunction_id)
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(n.at) >= v.from_id AND audit_first_id(n.at) < v.to_id);

SELECT format('round %s: entry %s voids it, and its player is not told', substr(e.subject, 7), e.id)
  FROM audit_entry e
 WHERE e.event = 'round.voided'
   AND NOT EXISTS (SELECT FROM pontoon_notice n
                    WHERE (n.player_id, 'round:' || n.round_id, n.kind) = (e.player_id, e.subject, 'round_voided'));

SELECT format('notice %s of player %s: was read, and is not his', r.notice_id, r.player_id)
  FROM pontoon_noticeread r
  LEFT JOIN pontoon_notice n ON (n.player_id, n.id) = (r.player_id, r.notice_id)
 WHERE n.id IS NULL OR r.at < n.at;

-- A case file, a decision and an escalation of a large win are as their entries tell them.
SELECT format('round %s: no entry tells of its case file %s so', c.round_id, c.number)
  FROM pontoon_casefile c
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb #> '{payload,after}' AS told) b
         WHERE (e.player_id, e.at, e.event, e.subject) = (c.player_id, c.at, 'win.checked', 'round:' || c.round_id)
           AND ((told->>'number')::integer, (told->>'agrees')::boolean) = (c.number, c.agrees))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(c.at) >= v.from_id AND audit_first_id(c.at) < v.to_id);

SELECT format('round %s: no entry tells that its case %s was %s so', d.round_id, d.number, d.verdict)
  FROM pontoon_decision d
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb -> 'payload' AS told) p
         WHERE (e.player_id, e.at, e.event, e.subject)
               = (d.player_id, d.at, CASE d.verdict WHEN 'released' THEN 'round.released' ELSE 'win.rejected' END,
                  'round:' || d.round_id)
           AND ((told->>'number')::integer, told->>'authorised_by', told->>'reason') = (d.number, d.actor, d.reason))
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(d.at) >= v.from_id AND audit_first_id(d.at) < v.to_id);

SELECT format('round %s: no entry tells of its escalation %s so', s.round_id, s.level)
  FROM pontoon_escalation s
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e
         WHERE (e.player_id, e.at, e.event, e.subject) = (s.player_id, s.at, 'win.escalated', 'round:' || s.round_id)
           AND (e.body::jsonb #>> '{payload,after,level}')::integer = s.level)
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(s.at) >= v.from_id AND audit_first_id(s.at) < v.to_id);

SELECT format('round %s: what entry %s tells of its large win is gone', substr(e.subject, 7), e.id)
  FROM audit_entry e
 WHERE e.event = 'win.checked' AND NOT EXISTS (
        SELECT FROM pontoon_casefile c WHERE (c.player_id, 'round:' || c.round_id, c.at) = (e.player_id, e.subject, e.at))
    OR e.event = 'win.rejected' AND NOT EXISTS (
        SELECT FROM pontoon_decision d WHERE (d.player_id, 'round:' || d.round_id, d.at) = (e.player_id, e.subject, e.at))
    OR e.event = 'win.escalated' AND NOT EXISTS (
        SELECT FROM pontoon_escalation s WHERE (s.player_id, 'round:' || s.round_id, s.at) = (e.player_id, e.subject, e.at));
