-- The hash of a secret that another server kept so, until the secret is first used here.
ALTER TABLE "client" ADD COLUMN "secret_hash_sealed" TEXT, ADD COLUMN "secret_hash_expires_at" TIMESTAMPTZ(3);
