-- Finds the documents that their hosts have withdrawn.
CREATE INDEX CONCURRENTLY "client_metadata_document_withdrawn_idx" ON "client_metadata_document" ("withdrawn_at") WHERE "withdrawn_at" IS NOT NULL;
