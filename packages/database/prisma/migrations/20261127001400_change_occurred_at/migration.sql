-- Old rows are deleted in the order of the primary key.
DROP INDEX CONCURRENTLY "change_occurred_at_idx";
