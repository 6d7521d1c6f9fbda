CREATE INDEX CONCURRENTLY "client_name_pair_array_idx" ON "client" USING gin ("vestibule_name_pair_array"("metadata"));
