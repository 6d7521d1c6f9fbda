-- Counts the unused open registrations of a network without reading any other client.
CREATE INDEX CONCURRENTLY "client_unused_network_idx" ON "client" ("network_digest")
WHERE "origin" = 'open_registration' AND "last_used_at" IS NULL;
