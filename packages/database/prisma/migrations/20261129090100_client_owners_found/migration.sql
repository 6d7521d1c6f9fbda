-- Finds the clients of an owner.
CREATE INDEX CONCURRENTLY "client_owner_id_idx" ON "client" ("owner", "id") WHERE "owner" IS NOT NULL;
