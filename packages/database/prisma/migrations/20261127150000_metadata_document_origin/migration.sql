-- By itself, since a new value cannot be used in the transaction that adds it.
ALTER TYPE "client_origin" ADD VALUE 'metadata_document';
