-- AlterTable
ALTER TABLE "artifact" ADD COLUMN     "client_id" TEXT;

-- AddForeignKey
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
