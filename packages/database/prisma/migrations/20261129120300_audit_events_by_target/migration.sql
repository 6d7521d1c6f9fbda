CREATE INDEX CONCURRENTLY "audit_event_target_occurred_at_id_idx" ON "audit_event" ("target", "occurred_at", "id");
