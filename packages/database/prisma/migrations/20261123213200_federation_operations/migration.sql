-- AlterTable
ALTER TABLE "client" ADD COLUMN     "chain_entities" TEXT;

-- CreateTable
CREATE TABLE "historical_key" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "historical_key_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "denied_entity" (
    "entity_id" TEXT NOT NULL,
    "reason" TEXT,
    "denied_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "denied_entity_pkey" PRIMARY KEY ("entity_id")
);

-- CreateTable
CREATE TABLE "statement_purge" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "count" INTEGER NOT NULL,
    "purged_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statement_purge_pkey" PRIMARY KEY ("id")
);

-- A federation key that was in use goes into the history with its public part, whoever deletes it.
CREATE FUNCTION vestibule_keep_federation_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO historical_key (kid, public_jwk, created_at, expires_at)
  VALUES (OLD."kid", OLD."public_jwk", OLD."created_at", COALESCE(OLD."expires_at", now()))
  ON CONFLICT (kid) DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER "keep_federation_key" AFTER DELETE ON "signing_key" FOR EACH ROW
  WHEN (OLD."key_set" = 'federation' AND OLD."activated_at" IS NOT NULL)
  EXECUTE FUNCTION vestibule_keep_federation_key();
