-- The door's questions, in the database's own words. Run by migration 0002 as the owner.

-- How long a session lives without being seen (AUT-06).
CREATE FUNCTION players_idle_max() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    'SELECT interval ''30 minutes''';

-- One row a player: who he is, and the strictest exclusion that binds him at this instant. The
-- clock is the wall's, not the transaction's: an act that waited for a lock asks about now.
CREATE VIEW players_standing AS
SELECT p.id AS player_id, p.currency, p.country, p.is_test,
       e.kind AS exclusion, e.ends_at AS exclusion_until
  FROM players_player p
  LEFT JOIN LATERAL (
        SELECT x.kind, x.ends_at
          FROM players_exclusion x
         WHERE x.player_id = p.id
           AND x.starts_at <= clock_timestamp()
           AND (x.ends_at IS NULL OR x.ends_at > clock_timestamp())
         ORDER BY x.kind = 'self_exclusion' DESC, x.ends_at DESC NULLS FIRST
         LIMIT 1
       ) e ON true;

-- One row a session, for the one query that opens every call of a player (by token_hash).
CREATE VIEW players_door AS
SELECT s.id AS session_id, s.token_hash, s.player_id, p.currency, p.country, s.language,
       s.profile, p.is_test, s.opened_at, s.last_seen_at,
       s.last_seen_at + players_idle_max() AS expires_at,
       s.closed_at, s.closed_because, p.exclusion, p.exclusion_until
  FROM players_playsession s
  JOIN players_standing p ON p.player_id = s.player_id;

-- A player's gate. Whatever lets him act holds it shared until its transaction is over; whatever
-- shuts him out holds it alone. So nothing that began before an exclusion commits after it.
CREATE FUNCTION players_gate(p_player uuid) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    'SELECT hashtextextended(''players_gate:'' || p_player, 0)';

-- Part of a commit that takes money for play: may this player deposit still?
CREATE FUNCTION players_admit_deposit(p_player uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(players_gate(p_player));
    PERFORM FROM players_standing WHERE player_id = p_player AND exclusion IS NULL;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the player is not admitted: read again' USING ERRCODE = 'PN409';
    END IF;
END $$;

-- Part of a commit of play: may this session act still? Who is excluded wagers no more, but ends
-- the round that he has open. The session was seen at p_at, which is written down only when the
-- last time is 30 s past: a session may end that much early, never late.
CREATE FUNCTION players_admit(
    p_player uuid, p_session uuid, p_at timestamptz, p_wagers boolean DEFAULT true
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_seen_at timestamptz;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(players_gate(p_player));
    SELECT last_seen_at INTO v_seen_at
      FROM players_door
     WHERE session_id = p_session AND player_id = p_player
       AND closed_at IS NULL AND expires_at > clock_timestamp()
       AND (exclusion IS NULL OR NOT p_wagers);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the session is not admitted: read again' USING ERRCODE = 'PN409';
    END IF;
    IF v_seen_at < p_at - interval '30 s' THEN
        UPDATE players_playsession SET last_seen_at = p_at
         WHERE id = p_session AND last_seen_at < p_at;
    END IF;
END $$;

-- What stays as it was written, stays so for the application too.
SELECT audit_protect('players_exclusion');
SELECT audit_protect_truncate(name::regclass)
  FROM unnest('{players_player,players_apikey,players_playsession}'::text[]) name;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app') THEN
        GRANT INSERT ON players_exclusion, players_player, players_apikey, players_playsession
           TO pontoon_app;
        GRANT UPDATE (revoked_at) ON players_apikey TO pontoon_app;
        GRANT UPDATE (last_seen_at, closed_at, closed_because) ON players_playsession
           TO pontoon_app;
    END IF;
END $$;
