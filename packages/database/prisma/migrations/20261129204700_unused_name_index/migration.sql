-- `client_name_pair_array_idx` takes its place. Instances of the previous version find parts of names without an index
-- until they are replaced: they read the names of all clients.
DROP INDEX CONCURRENTLY "client_name_pairs_idx";
