-- `client_network_idx` takes its place.
DROP INDEX CONCURRENTLY "client_unused_network_idx";
