-- CreateTable
CREATE TABLE "remembered_answer" (
    "digest" BYTEA NOT NULL,
    "sealed" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "remembered_answer_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "remembered_answer_expires_at_idx" ON "remembered_answer"("expires_at");
