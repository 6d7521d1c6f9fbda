CREATE INDEX CONCURRENTLY "client_redirect_uris_idx" ON "client" USING gin
(("metadata"->'redirect_uris') jsonb_path_ops);
