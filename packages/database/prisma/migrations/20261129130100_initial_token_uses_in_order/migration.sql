-- Lists the uses of an initial access token in order.
CREATE INDEX CONCURRENTLY "initial_access_token_use_token_digest_id_idx" ON "initial_access_token_use" ("token_digest", "id");
