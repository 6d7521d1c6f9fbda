CREATE INDEX CONCURRENTLY "logout_delivery_session_id_idx" ON "logout_delivery" ("session_id");
