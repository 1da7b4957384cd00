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
