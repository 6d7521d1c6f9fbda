-- Every event is updated once, when it is chained: whether an update is that one is told without calling a function.
CREATE OR REPLACE FUNCTION "vestibule_guard_audit_event"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit events are not changed' USING ERRCODE = 'insufficient_privilege';
END
$$;

DROP TRIGGER "audit_event_guard" ON "audit_event";

CREATE TRIGGER "audit_event_guard_update" BEFORE UPDATE ON "audit_event"
FOR EACH ROW WHEN (
  OLD."position" IS NOT NULL OR OLD."hash" IS NOT NULL
  OR (OLD."id", OLD."occurred_at", OLD."actor", OLD."action", OLD."target", OLD."before_digest", OLD."after_digest", OLD."details")
    IS DISTINCT FROM
    (NEW."id", NEW."occurred_at", NEW."actor", NEW."action", NEW."target", NEW."before_digest", NEW."after_digest", NEW."details")
) EXECUTE FUNCTION "vestibule_guard_audit_event"();

CREATE TRIGGER "audit_event_guard_delete" BEFORE DELETE ON "audit_event"
FOR EACH ROW EXECUTE FUNCTION "vestibule_guard_audit_event"();

-- Events wait for their place in the chain outside its index, so that an event that comes does not write there.
DROP INDEX "audit_event_position_key";
CREATE UNIQUE INDEX "audit_event_position_key" ON "audit_event" ("position") WHERE "position" IS NOT NULL;

-- Rows are compared one by one instead of as sets: most changes are of one client.
CREATE OR REPLACE FUNCTION "vestibule_announce_client_changes"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  -- What a client may do and how it proves itself, not when it was last used.
  PERFORM vestibule_announce('k', ARRAY(
    SELECT vestibule_fact('client', before.id) FROM before LEFT JOIN after USING (id)
    WHERE (before.status, before.expires_at, before.secret_digest, before.secret_expires_at, before.metadata)
      IS DISTINCT FROM
      (after.status, after.expires_at, after.secret_digest, after.secret_expires_at, after.metadata)));
  RETURN NULL;
END
$$;
