-- As before, with the new indexes.
CREATE OR REPLACE FUNCTION "vestibule_has_room_for_open_client"("most" integer, "networks" bytea[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
DECLARE
  "room" integer;
BEGIN
  PERFORM pg_advisory_xact_lock(5566137290144819372);
  "room" := "most" - (
    SELECT count(*) FROM (
      SELECT FROM "client" WHERE "origin" = 'open_registration' AND NOT "is_used" AND "last_used_at" IS NULL LIMIT "most"
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
