-- The newest secrets of a client are found without reading those before, however many there are.
CREATE INDEX CONCURRENTLY "earlier_client_secret_client_id_id_idx" ON "earlier_client_secret"("client_id", "id");
