CREATE INDEX CONCURRENTLY "audit_event_actor_occurred_at_id_idx" ON "audit_event" ("actor", "occurred_at", "id");
