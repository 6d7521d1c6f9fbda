-- Lists initial access tokens in the order of issue.
CREATE INDEX CONCURRENTLY "initial_access_token_issued_at_digest_idx" ON "initial_access_token" ("issued_at", "digest");
