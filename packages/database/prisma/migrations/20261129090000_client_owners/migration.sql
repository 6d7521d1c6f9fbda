-- The set of files that owns a client, and whether the secret that was generated for the files was not handed over yet.
ALTER TABLE "client" ADD COLUMN "owner" TEXT, ADD COLUMN "is_secret_undelivered" BOOLEAN;
