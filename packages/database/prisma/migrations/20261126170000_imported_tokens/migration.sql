-- CreateTable
CREATE TABLE "imported_token" (
    "digest" BYTEA NOT NULL,
    "facts" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imported_token_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "imported_token_expires_at_idx" ON "imported_token"("expires_at");
