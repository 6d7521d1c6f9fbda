-- How far each receiver of the webhook has been told, and the process that sends to it.
CREATE TABLE "change_delivery" (
    "receiver" TEXT NOT NULL,
    "event_id" TEXT,
    "holder" TEXT NOT NULL,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "change_delivery_pkey" PRIMARY KEY ("receiver")
);
