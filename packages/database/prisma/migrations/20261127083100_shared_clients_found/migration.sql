-- Finds the client of an identical registration, and lets parallel ones create only one.
CREATE UNIQUE INDEX CONCURRENTLY "client_shared_digest_key" ON "client" ("shared_digest") WHERE "shared_digest" IS NOT NULL;
