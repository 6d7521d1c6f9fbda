-- The index with the time finds them too.
DROP INDEX CONCURRENTLY "session_subject_idx";
