-- AlterTable
ALTER TABLE "client" ADD COLUMN     "statement_issued_at" TIMESTAMPTZ(3);
