-- A deal asks the door whether the player has seen how long he plays (RCK-01). Run by a migration
-- as the owner of the tables.

-- As in round.sql; the door has two more columns than when a database was made before them.
DROP VIEW pontoon_place;
CREATE VIEW pontoon_place AS
SELECT d.*, clock_timestamp() AS at,
       coalesce(w.balance_minor, 0) AS balance_minor, coalesce(w.version, 0) AS version,
       coalesce(w.limit_count, 0) AS limit_count,
       wallet_limits(d.player_id, clock_timestamp())::json AS allowance,
       s.number AS seed_number, s.commitment, s.sealed
  FROM players_door d
  LEFT JOIN wallets_account w ON w.player_id = d.player_id AND w.kind = 'cash'
  LEFT JOIN LATERAL (SELECT number, commitment, sealed FROM pontoon_seed
                      WHERE player_id = d.player_id ORDER BY number DESC LIMIT 1) s ON true;

-- Whoever writes a new round: none begins past a reality check that is due.
CREATE FUNCTION pontoon_guard_deal() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM players_admit_deal(NEW.player_id, NEW.session_id);
    RETURN NEW;
END $$;
CREATE TRIGGER guard_deal BEFORE INSERT ON pontoon_round
    FOR EACH ROW EXECUTE FUNCTION pontoon_guard_deal();

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pontoon_app') AND current_user <> 'pontoon_app' THEN
        REVOKE ALL ON pontoon_place FROM pontoon_app;
        GRANT SELECT ON pontoon_place TO pontoon_app;
    END IF;
END $$;
