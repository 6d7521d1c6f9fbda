-- CreateTable
CREATE TABLE "deleted_signing_key" (
    "kid" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_signing_key_pkey" PRIMARY KEY ("kid")
);

-- The thumbprint of a key pair is kept when its row is deleted, by plain SQL too. The trigger writes with the rights of its owner, so that roles
-- which may only delete keys can still delete them.
CREATE FUNCTION vestibule_keep_signing_key_thumbprint() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO deleted_signing_key (kid) VALUES (OLD."kid") ON CONFLICT (kid) DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER "keep_thumbprint" AFTER DELETE ON "signing_key" FOR EACH ROW
  EXECUTE FUNCTION vestibule_keep_signing_key_thumbprint();
