-- Identical registrations of one software are answered with one client.
ALTER TABLE "client" ADD COLUMN "shared_digest" BYTEA;
