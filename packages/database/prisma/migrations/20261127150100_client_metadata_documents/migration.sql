-- Client ID metadata documents.
CREATE TABLE "client_metadata_document" (
    "url" TEXT NOT NULL,
    "client_id" TEXT,
    "etag" TEXT,
    "last_modified" TEXT,
    "digest" TEXT,
    "rules" TEXT,
    "validated_at" TIMESTAMPTZ(3),
    "fresh_until" TIMESTAMPTZ(3),
    "withdrawn_at" TIMESTAMPTZ(3),
    "problem" JSONB,
    "history" JSONB NOT NULL,
    "leased_until" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_metadata_document_pkey" PRIMARY KEY ("url")
);

-- CreateIndex
CREATE UNIQUE INDEX "client_metadata_document_client_id_key" ON "client_metadata_document"("client_id");

-- CreateIndex
CREATE INDEX "client_metadata_document_expires_at_idx" ON "client_metadata_document"("expires_at");

-- AddForeignKey
ALTER TABLE "client_metadata_document" ADD CONSTRAINT "client_metadata_document_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;
