-- The collation "C", so that the order of the keys does not change with the libraries of the system.
CREATE INDEX CONCURRENTLY "client_name_pair_array_idx" ON "client" USING gin ("vestibule_name_pair_array"("metadata") COLLATE "C");
