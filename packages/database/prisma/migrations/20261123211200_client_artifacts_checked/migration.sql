ALTER TABLE "artifact" VALIDATE CONSTRAINT "artifact_client_id_fkey";
