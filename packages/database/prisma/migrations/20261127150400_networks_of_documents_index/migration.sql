-- Counts the unused documents of a network.
CREATE INDEX CONCURRENTLY "client_metadata_document_network_idx" ON "client_metadata_document" ("network_digest")
WHERE "network_digest" IS NOT NULL;
