CREATE INDEX CONCURRENTLY "client_suspended_idx" ON "client" ("issued_at", "id") WHERE "status" = 'suspended';
