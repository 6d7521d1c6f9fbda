-- Clients change one at a time, so that a change is looked at and announced as a row: the sets of old and new rows cost
-- more to make and to join than all the rest. What a client may do and how it proves itself, not when it was last used.
CREATE FUNCTION "vestibule_announce_client_change"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF (OLD."id", OLD."status", OLD."expires_at", OLD."secret_digest", OLD."secret_expires_at", OLD."metadata")
    IS DISTINCT FROM
    (NEW."id", NEW."status", NEW."expires_at", NEW."secret_digest", NEW."secret_expires_at", NEW."metadata")
  THEN
    PERFORM pg_notify('vestibule_state', '{"v":1,"k":["' || vestibule_fact('client', OLD."id") || '"]}');
  END IF;
  RETURN NULL;
END
$$;

DROP TRIGGER "announce_update" ON "client";
DROP FUNCTION "vestibule_announce_client_changes"();

CREATE TRIGGER "announce_update" AFTER UPDATE ON "client"
FOR EACH ROW EXECUTE FUNCTION "vestibule_announce_client_change"();

ALTER TABLE "client" ENABLE ALWAYS TRIGGER "announce_update";

-- Most clients are no federation entities, and most never end: those stay out of indexes that nobody finds them by.
DROP INDEX "client_entity_id_key";
CREATE UNIQUE INDEX "client_entity_id_key" ON "client" ("entity_id") WHERE "entity_id" IS NOT NULL;
DROP INDEX "client_expires_at_idx";
CREATE INDEX "client_expires_at_idx" ON "client" ("expires_at") WHERE "expires_at" IS NOT NULL;
