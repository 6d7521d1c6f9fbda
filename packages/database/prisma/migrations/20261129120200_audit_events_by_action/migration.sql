CREATE INDEX CONCURRENTLY "audit_event_action_occurred_at_id_idx" ON "audit_event" ("action", "occurred_at", "id");
