-- In which trace a session ended, so that the delivery of its notifications is part of it.
ALTER TABLE "logout_delivery" ADD COLUMN     "traceparent" TEXT;
