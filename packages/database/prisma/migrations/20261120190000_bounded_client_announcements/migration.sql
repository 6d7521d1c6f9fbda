-- Clients that change by the thousands are everything: the many announcements of one transaction are then the same, and
-- the database sends those once. It counts the changed rows of its connection itself, and forgets them within seconds
-- of their commit; where it is told not to count, each change is announced by itself.
CREATE OR REPLACE FUNCTION "vestibule_announce_client_change"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF (OLD."id", OLD."status", OLD."expires_at", OLD."secret_digest", OLD."secret_expires_at", OLD."metadata")
    IS DISTINCT FROM
    (NEW."id", NEW."status", NEW."expires_at", NEW."secret_digest", NEW."secret_expires_at", NEW."metadata")
  THEN
    IF pg_stat_get_xact_tuples_updated(TG_RELID) > 20000 THEN
      PERFORM pg_notify('vestibule_state', '{"v":1,"all":true}');
    ELSE
      PERFORM pg_notify('vestibule_state', '{"v":1,"k":["' || vestibule_fact('client', OLD."id") || '"]}');
    END IF;
  END IF;
  RETURN NULL;
END
$$;
