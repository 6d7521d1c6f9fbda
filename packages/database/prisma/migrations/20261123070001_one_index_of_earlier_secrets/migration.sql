-- The index over client and id serves whoever used this one.
DROP INDEX CONCURRENTLY "earlier_client_secret_client_id_idx";
