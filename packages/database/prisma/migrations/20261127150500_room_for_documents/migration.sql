-- Whether a network may add one more document: while it holds fewer unused ones than the cap has room left. Unused are
-- documents without a client and documents whose client was never used. Additions wait for each other.
CREATE FUNCTION "vestibule_has_room_for_document"("most" integer, "networks" bytea[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
DECLARE
  "room" integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7203941586021134877);
  "room" := "most" - (
    SELECT count(*) FROM (
      SELECT FROM "client_metadata_document" WHERE "expires_at" IS NOT NULL LIMIT "most"
    ) AS "without_client"
  ) - (
    SELECT count(*) FROM (
      SELECT FROM "client" WHERE "origin" = 'metadata_document' AND NOT "is_used" AND "last_used_at" IS NULL LIMIT "most"
    ) AS "unused"
  );
  IF "room" <= 0 THEN
    RETURN false;
  END IF;
  RETURN "room" > (
    SELECT count(*) FROM (
      SELECT FROM "client_metadata_document" AS "document" LEFT JOIN "client" ON "client"."id" = "document"."client_id"
      WHERE "document"."network_digest" = ANY("networks") AND "client"."last_used_at" IS NULL
      LIMIT "room"
    ) AS "own"
  );
END
$$;
