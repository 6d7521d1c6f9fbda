CREATE INDEX CONCURRENTLY "audit_event_occurred_at_id_idx" ON "audit_event" ("occurred_at", "id");
