CREATE INDEX CONCURRENTLY "logout_delivery_end_user_idx" ON "logout_delivery" ((coalesce("subject", "account_id")), "id");
