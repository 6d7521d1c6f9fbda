-- Whose name for the end-user a notification is to carry, and when an operator asked for it again.
ALTER TABLE "logout_delivery" ADD COLUMN     "account_id" TEXT,
ADD COLUMN     "redelivered_at" TIMESTAMPTZ(3);

-- Deliveries take turns by host and client. "C" makes the order the same in every database.
ALTER TABLE "logout_delivery" ADD COLUMN     "host" TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE FUNCTION "vestibule_logout_host"("uri" text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(regexp_replace(coalesce(substring(uri FROM '^[^:]+://([^/?#]*)'), ''), ':[0-9]*$', ''))
$$;

UPDATE "logout_delivery" SET "host" = "vestibule_logout_host"("uri");

CREATE FUNCTION "vestibule_place_logout_delivery"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.host := vestibule_logout_host(NEW.uri);
  -- The first attempt is due by the clock that tells what is due, whatever that of the writer says.
  IF TG_OP = 'INSERT' THEN
    NEW.next_attempt_at := LEAST(NEW.next_attempt_at, now());
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER "logout_delivery_place" BEFORE INSERT OR UPDATE OF "uri" ON "logout_delivery"
FOR EACH ROW EXECUTE FUNCTION "vestibule_place_logout_delivery"();

-- Whoever delivers is woken by the commit, and by whatever wrote.
CREATE FUNCTION "vestibule_announce_logout_deliveries"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('vestibule_logout', '');
  RETURN NULL;
END
$$;

-- By row, since a statement that ends sessions mostly adds none; equal messages of one commit are one.
CREATE TRIGGER "logout_delivery_announce" AFTER INSERT ON "logout_delivery"
FOR EACH ROW EXECUTE FUNCTION "vestibule_announce_logout_deliveries"();

ALTER TABLE "logout_delivery" ENABLE ALWAYS TRIGGER "logout_delivery_place";
ALTER TABLE "logout_delivery" ENABLE ALWAYS TRIGGER "logout_delivery_announce";

-- What waits, by whose turn it is, and the oldest of it; what can be forgotten; and what operators list.
DROP INDEX "logout_delivery_state_next_attempt_at_idx";
DROP INDEX "logout_delivery_client_id_idx";
CREATE INDEX "logout_delivery_turn_idx" ON "logout_delivery" ("host", "client_id" COLLATE "C", "next_attempt_at", "id")
WHERE "state" = 'pending';
CREATE INDEX "logout_delivery_waiting_idx" ON "logout_delivery" ("created_at") WHERE "state" = 'pending';
CREATE INDEX "logout_delivery_finished_idx" ON "logout_delivery" ("finished_at") WHERE "state" <> 'pending';
CREATE INDEX "logout_delivery_state_id_idx" ON "logout_delivery" ("state", "id");
CREATE INDEX "logout_delivery_client_id_id_idx" ON "logout_delivery" ("client_id", "id");
