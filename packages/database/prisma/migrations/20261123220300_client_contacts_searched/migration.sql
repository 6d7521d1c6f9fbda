-- As JSON text, since the list as a whole is folded.
CREATE INDEX CONCURRENTLY "client_contacts_idx" ON "client" USING gin
(("vestibule_fold_case"(("metadata"->'contacts')::text)::jsonb) jsonb_path_ops);
