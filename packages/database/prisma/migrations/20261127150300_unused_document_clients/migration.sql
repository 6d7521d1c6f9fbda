-- Counts the unused clients of documents without reading any other client.
CREATE INDEX CONCURRENTLY "client_document_unused_idx" ON "client" ("id")
WHERE "origin" = 'metadata_document' AND NOT "is_used";
