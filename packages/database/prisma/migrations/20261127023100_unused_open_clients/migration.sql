-- Counts the unused open registrations without reading any other client.
CREATE INDEX CONCURRENTLY "client_open_unused_idx" ON "client" ("id")
WHERE "origin" = 'open_registration' AND NOT "is_used";
