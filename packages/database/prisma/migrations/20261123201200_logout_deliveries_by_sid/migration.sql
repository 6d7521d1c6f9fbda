CREATE INDEX CONCURRENTLY "logout_delivery_sid_idx" ON "logout_delivery" ("sid");
