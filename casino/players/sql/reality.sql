-- How long a session has lasted, told to its player (RCK-01). Run by migration 0003 as the owner.

SELECT audit_protect('players_realitycheck');

-- As in door.sql, with what the player asked for and when he was told last.
CREATE OR REPLACE VIEW players_door AS
SELECT s.id AS session_id, s.token_hash, s.player_id, p.currency, p.country, s.language,
       s.profile, p.is_test, s.opened_at, s.last_seen_at,
       s.last_seen_at + players_idle_max() AS expires_at,
       s.closed_at, s.closed_because, p.exclusion, p.exclusion_until,
       s.check_every_min, s.checked_at
  FROM players_playsession s
  JOIN players_standing p ON p.player_id = s.player_id;

-- Part of a commit that deals: has the player seen how long he plays? The gate is held already,
-- by players_admit, so nobody asks for a shorter interval meanwhile.
CREATE FUNCTION players_admit_deal(p_player uuid, p_session uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM players_playsession
      WHERE id = p_session AND player_id = p_player
        AND coalesce(checked_at, opened_at) + check_every_min * interval '1 minute'
            <= clock_timestamp();
    IF FOUND THEN
        RAISE EXCEPTION 'a reality check is due: read again' USING ERRCODE = 'PN409';
    END IF;
END $$;

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app') THEN
        GRANT INSERT ON players_realitycheck TO pontoon_app;
        GRANT UPDATE (check_every_min, checked_at) ON players_playsession TO pontoon_app;
    END IF;
END $$;
