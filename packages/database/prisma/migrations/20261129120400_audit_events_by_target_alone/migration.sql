-- The index with the time finds them too.
DROP INDEX CONCURRENTLY "audit_event_target_idx";
