-- Counts the open registrations that were never used without reading any other client.
CREATE INDEX "client_unused_open_idx" ON "client" ("id")
WHERE "origin" = 'open_registration' AND "last_used_at" IS NULL;

-- Whether there may be one more open registration. Whoever asks holds the answer until its transaction ends: the lock
-- makes everybody else wait, and each statement of a volatile function sees what was committed before it, so that
-- parallel registrations count one another.
CREATE FUNCTION "vestibule_has_room_for_open_client"("most" integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(5566137290144819372);
  RETURN (
    SELECT count(*) FROM (
      SELECT FROM "client" WHERE "origin" = 'open_registration' AND "last_used_at" IS NULL LIMIT most
    ) AS "unused"
  ) < most;
END
$$;

-- What is not chained yet, for the one that chains.
CREATE INDEX "audit_event_unchained_idx" ON "audit_event" ("id") WHERE "position" IS NULL;

-- Events are appended and then chained, once; nothing else ever happens to them.
CREATE FUNCTION "vestibule_guard_audit_event"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD."position" IS NULL AND OLD."hash" IS NULL
      AND to_jsonb(NEW) - 'position' - 'hash' = to_jsonb(OLD) - 'position' - 'hash'
    THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit events are not changed' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER "audit_event_guard" BEFORE UPDATE OR DELETE ON "audit_event"
FOR EACH ROW EXECUTE FUNCTION "vestibule_guard_audit_event"();

CREATE TRIGGER "audit_event_guard_all" BEFORE TRUNCATE ON "audit_event"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_guard_audit_event"();
