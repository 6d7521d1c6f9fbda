CREATE INDEX CONCURRENTLY "artifact_client_id_idx" ON "artifact" ("client_id");
