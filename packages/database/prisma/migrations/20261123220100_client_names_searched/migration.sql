CREATE INDEX CONCURRENTLY "client_name_pairs_idx" ON "client" USING gin
("vestibule_name_pairs"("metadata") jsonb_path_ops);
