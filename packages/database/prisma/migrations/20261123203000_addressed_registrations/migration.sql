-- AlterTable
ALTER TABLE "client" ADD COLUMN     "is_addressed" BOOLEAN;
