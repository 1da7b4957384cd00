-- What stands at the door, held against the entries that tell of it: one statement a law, one row a
-- fault. Read by `casino.players.queries.record_faults`.

-- A player is as he was registered, and none is gone.
SELECT format('player %s: no entry tells of him so', p.id)
  FROM players_player p
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb #> '{payload,after}' AS told) b
         WHERE e.subject = 'player:' || p.id AND e.event = 'player.registered'
           AND (told->>'external_id', told->>'currency', told->>'country', told->>'language')
               = (p.external_id, p.currency, p.country, p.language)
           AND (told->>'is_test')::boolean = p.is_test
           AND e.at BETWEEN p.registered_at AND p.registered_at + interval '10 s')
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(p.registered_at) >= v.from_id AND audit_first_id(p.registered_at) < v.to_id);

SELECT format('player %s: is gone; entry %s tells of him', e.player_id, e.id)
  FROM audit_entry e
 WHERE e.event = 'player.registered' AND NOT EXISTS (SELECT FROM players_player p WHERE p.id = e.player_id);

-- An exclusion is as its entry tells it, and none is gone.
SELECT format('exclusion %s of player %s: no entry tells of it so', x.id, x.player_id)
  FROM players_exclusion x
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb #> '{payload,after}' AS told) b
         WHERE (e.player_id, e.event, e.actor) = (x.player_id, 'player.excluded', x.by)
           AND (told->>'id', told->>'kind', told->>'reason') = (x.id::text, x.kind, x.reason)
           AND (told->>'starts_at')::timestamptz = x.starts_at
           AND (told->>'ends_at')::timestamptz IS NOT DISTINCT FROM x.ends_at
           AND e.at BETWEEN x.requested_at AND x.requested_at + interval '10 s')
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(x.requested_at) >= v.from_id AND audit_first_id(x.requested_at) < v.to_id);

SELECT format('exclusion %s of player %s: is gone; entry %s tells of it', told.id, e.player_id, e.id)
  FROM audit_entry e, LATERAL (SELECT e.body::jsonb #>> '{payload,after,id}' AS id) told
 WHERE e.event = 'player.excluded'
   AND NOT EXISTS (SELECT FROM players_exclusion x WHERE (x.player_id, x.id::text) = (e.player_id, told.id));

-- A key has the name, the scopes and the end that its last entry tells, and none is gone.
WITH last AS (
    SELECT DISTINCT ON (subject) id, subject, body::jsonb #> '{payload,after}' AS told
      FROM audit_entry WHERE event IN ('key.created', 'key.revoked') ORDER BY subject, id DESC
)
SELECT CASE WHEN k.id IS NULL THEN format('%s: is gone; entry %s tells of it', l.subject, l.id)
            ELSE format('key:%s: is not as entry %s tells it', k.id, l.id) END
  FROM last l FULL JOIN players_apikey k ON l.subject = 'key:' || k.id
 WHERE l.told IS NOT NULL
   AND (k.id IS NULL OR k.name <> l.told->>'name' OR to_jsonb(k.scopes) <> l.told->'scopes'
        OR (l.told->>'revoked_at')::timestamptz IS DISTINCT FROM k.revoked_at);

-- How often a player asked to be told how long he plays is as the entry of it tells.
SELECT format('reality check %s of player %s: no entry tells of it so', c.id, c.player_id)
  FROM players_realitycheck c
 WHERE NOT EXISTS (
        SELECT FROM audit_entry e, LATERAL (SELECT e.body::jsonb #> '{payload,after}' AS told) b
         WHERE (e.player_id, e.event) = (c.player_id, 'reality_check.set')
           AND (told->>'check_every_min')::integer IS NOT DISTINCT FROM c.every_min
           AND e.at BETWEEN c.set_at AND c.set_at + interval '10 s')
   AND NOT EXISTS (SELECT FROM audit_archive v
                    WHERE audit_first_id(c.set_at) >= v.from_id AND audit_first_id(c.set_at) < v.to_id);

SELECT format('reality check of player %s: is gone; entry %s tells of it', e.player_id, e.id)
  FROM audit_entry e, LATERAL (SELECT e.body::jsonb #> '{payload,after}' AS told) b
 WHERE e.event = 'reality_check.set'
   AND NOT EXISTS (SELECT FROM players_realitycheck c
                    WHERE c.player_id = e.player_id
                      AND c.every_min IS NOT DISTINCT FROM (told->>'check_every_min')::integer
                      AND e.at BETWEEN c.set_at AND c.set_at + interval '10 s');
