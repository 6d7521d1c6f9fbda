-- `client_open_unused_idx` takes its place.
DROP INDEX CONCURRENTLY "client_unused_open_idx";
