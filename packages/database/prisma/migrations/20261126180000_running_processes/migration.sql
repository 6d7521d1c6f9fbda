-- The processes that run now, with the settings on which they must agree.
CREATE TABLE "running_process" (
    "id" TEXT NOT NULL,
    "program" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "running_process_pkey" PRIMARY KEY ("id")
);
