-- What the authorisation server keeps of its own with an access token that it issued.
ALTER TABLE "access_token" ADD COLUMN     "payload" JSONB;
