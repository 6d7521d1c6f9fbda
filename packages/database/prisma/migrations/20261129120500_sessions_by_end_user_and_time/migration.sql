CREATE INDEX CONCURRENTLY "session_subject_created_at_id_idx" ON "session" ("subject", "created_at", "id");
