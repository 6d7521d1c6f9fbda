-- The index on the digest and the identifier finds the same.
DROP INDEX CONCURRENTLY "initial_access_token_use_token_digest_idx";
