-- From which network a document was first asked for, until its client is used.
ALTER TABLE "client_metadata_document" ADD COLUMN "network_digest" BYTEA;
