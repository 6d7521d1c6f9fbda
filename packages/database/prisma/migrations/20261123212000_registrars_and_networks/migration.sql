-- With which credential a client was registered, and from which network where none was needed. Both are absent of clients
-- that were registered before.
CREATE TYPE "client_registrar" AS ENUM ('master_token', 'initial_access_token');

ALTER TABLE "client" ADD COLUMN     "registrar" "client_registrar",
ADD COLUMN     "network_digest" BYTEA;

-- Whether a network may have one more open registration: while it holds fewer unused ones than the cap has room left, so
-- that one network takes at most half of the cap, and n networks leave one part of n + 1. Registrations wait for each
-- other as in the function of one parameter.
CREATE FUNCTION "vestibule_has_room_for_open_client"("most" integer, "networks" bytea[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
DECLARE
  "room" integer;
BEGIN
  PERFORM pg_advisory_xact_lock(5566137290144819372);
  "room" := "most" - (
    SELECT count(*) FROM (
      SELECT FROM "client" WHERE "origin" = 'open_registration' AND "last_used_at" IS NULL LIMIT "most"
    ) AS "unused"
  );
  RETURN "room" > (
    SELECT count(*) FROM (
      SELECT FROM "client"
      WHERE "network_digest" = ANY("networks") AND "origin" = 'open_registration' AND "last_used_at" IS NULL
      LIMIT "room"
    ) AS "own"
  );
END
$$;
