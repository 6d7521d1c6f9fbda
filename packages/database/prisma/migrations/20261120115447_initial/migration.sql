-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "client_origin" AS ENUM ('registration', 'import', 'federation_explicit', 'federation_automatic');

-- CreateEnum
CREATE TYPE "client_status" AS ENUM ('active', 'pending');

-- CreateEnum
CREATE TYPE "revocation_cutoff_kind" AS ENUM ('client', 'subject', 'session', 'issuer');

-- CreateEnum
CREATE TYPE "logout_delivery_state" AS ENUM ('pending', 'delivered', 'dead');

-- CreateEnum
CREATE TYPE "key_set" AS ENUM ('provider', 'federation');

-- CreateEnum
CREATE TYPE "key_use" AS ENUM ('sig', 'enc');

-- CreateEnum
CREATE TYPE "key_state" AS ENUM ('pending', 'active', 'retired');

-- CreateEnum
CREATE TYPE "data_key_purpose" AS ENUM ('seal', 'digest');

-- CreateTable
CREATE TABLE "client" (
    "id" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "data" JSONB,
    "rights" TEXT NOT NULL,
    "origin" "client_origin" NOT NULL DEFAULT 'registration',
    "status" "client_status" NOT NULL DEFAULT 'active',
    "secret_digest" BYTEA,
    "secret_sealed" TEXT,
    "secret_expires_at" TIMESTAMPTZ(3),
    "registration_token_digest" BYTEA,
    "registration_token_sealed" TEXT,
    "previous_registration_token_digest" BYTEA,
    "previous_registration_token_expires_at" TIMESTAMPTZ(3),
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "entity_id" TEXT,
    "trust_anchor" TEXT,
    "superior" TEXT,
    "chain_expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "earlier_client_secret" (
    "id" BIGSERIAL NOT NULL,
    "client_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "sealed" TEXT NOT NULL,
    "authenticates_until" TIMESTAMPTZ(3),
    "kept_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "earlier_client_secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "initial_access_token" (
    "digest" BYTEA NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT[],
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "uses_left" INTEGER NOT NULL,
    "label" TEXT,
    "metadata_template" JSONB,
    "confirmation" JSONB,

    CONSTRAINT "initial_access_token_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "initial_access_token_use" (
    "id" BIGSERIAL NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "initial_access_token_use_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_token" (
    "digest" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "subject" TEXT,
    "username" TEXT,
    "scope" TEXT NOT NULL,
    "audience" TEXT[],
    "issuer" TEXT NOT NULL,
    "jti" TEXT,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "not_before" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmation" JSONB,
    "actor" JSONB,
    "data" JSONB,
    "claims" JSONB,
    "authorization_id" TEXT,
    "session_id" TEXT,

    CONSTRAINT "access_token_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "refresh_token" (
    "digest" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "subject" TEXT,
    "scope" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),
    "payload" JSONB,
    "authorization_id" TEXT,
    "session_id" TEXT,

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "authorization" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revoked_token" (
    "issuer" TEXT NOT NULL,
    "jti" TEXT NOT NULL,
    "revoked_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoked_token_pkey" PRIMARY KEY ("issuer","jti")
);

-- CreateTable
CREATE TABLE "revocation_cutoff" (
    "kind" "revocation_cutoff_kind" NOT NULL,
    "value" TEXT NOT NULL,
    "cutoff" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revocation_cutoff_pkey" PRIMARY KEY ("kind","value")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "subject" TEXT,
    "cookie_digest" BYTEA NOT NULL,
    "payload" JSONB,
    "authenticated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_client" (
    "session_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "sid" TEXT NOT NULL,

    CONSTRAINT "session_client_pkey" PRIMARY KEY ("session_id","client_id")
);

-- CreateTable
CREATE TABLE "logout_delivery" (
    "id" BIGSERIAL NOT NULL,
    "client_id" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "subject" TEXT,
    "sid" TEXT,
    "state" "logout_delivery_state" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "logout_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_key" (
    "kid" TEXT NOT NULL,
    "key_set" "key_set" NOT NULL,
    "use" "key_use" NOT NULL,
    "algorithm" TEXT NOT NULL,
    "state" "key_state" NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_jwk_sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "data_key" (
    "id" TEXT NOT NULL,
    "purpose" "data_key_purpose" NOT NULL,
    "state" "key_state" NOT NULL,
    "wrapped" TEXT NOT NULL,
    "key_encryption_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "data_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "replayed_assertion" (
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "replayed_assertion_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "id" BIGSERIAL NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "before_digest" BYTEA,
    "after_digest" BYTEA,
    "details" JSONB,
    "position" BIGINT,
    "hash" BYTEA,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artifact" (
    "kind" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "payload" JSONB NOT NULL,
    "uid" TEXT,
    "user_code" TEXT,
    "authorization_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "artifact_pkey" PRIMARY KEY ("kind","digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "client_entity_id_key" ON "client"("entity_id");

-- CreateIndex
CREATE INDEX "client_issued_at_id_idx" ON "client"("issued_at", "id");

-- CreateIndex
CREATE INDEX "client_expires_at_idx" ON "client"("expires_at");

-- CreateIndex
CREATE INDEX "earlier_client_secret_client_id_idx" ON "earlier_client_secret"("client_id");

-- CreateIndex
CREATE INDEX "earlier_client_secret_kept_until_idx" ON "earlier_client_secret"("kept_until");

-- CreateIndex
CREATE INDEX "initial_access_token_expires_at_idx" ON "initial_access_token"("expires_at");

-- CreateIndex
CREATE INDEX "initial_access_token_use_token_digest_idx" ON "initial_access_token_use"("token_digest");

-- CreateIndex
CREATE INDEX "access_token_client_id_idx" ON "access_token"("client_id");

-- CreateIndex
CREATE INDEX "access_token_subject_idx" ON "access_token"("subject");

-- CreateIndex
CREATE INDEX "access_token_authorization_id_idx" ON "access_token"("authorization_id");

-- CreateIndex
CREATE INDEX "access_token_session_id_idx" ON "access_token"("session_id");

-- CreateIndex
CREATE INDEX "access_token_expires_at_idx" ON "access_token"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_token_client_id_idx" ON "refresh_token"("client_id");

-- CreateIndex
CREATE INDEX "refresh_token_subject_idx" ON "refresh_token"("subject");

-- CreateIndex
CREATE INDEX "refresh_token_authorization_id_idx" ON "refresh_token"("authorization_id");

-- CreateIndex
CREATE INDEX "refresh_token_session_id_idx" ON "refresh_token"("session_id");

-- CreateIndex
CREATE INDEX "refresh_token_expires_at_idx" ON "refresh_token"("expires_at");

-- CreateIndex
CREATE INDEX "authorization_client_id_subject_idx" ON "authorization"("client_id", "subject");

-- CreateIndex
CREATE INDEX "authorization_subject_idx" ON "authorization"("subject");

-- CreateIndex
CREATE INDEX "authorization_expires_at_idx" ON "authorization"("expires_at");

-- CreateIndex
CREATE INDEX "revoked_token_expires_at_idx" ON "revoked_token"("expires_at");

-- CreateIndex
CREATE INDEX "revocation_cutoff_expires_at_idx" ON "revocation_cutoff"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "session_cookie_digest_key" ON "session"("cookie_digest");

-- CreateIndex
CREATE INDEX "session_subject_idx" ON "session"("subject");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "session_client_sid_key" ON "session_client"("sid");

-- CreateIndex
CREATE INDEX "session_client_client_id_idx" ON "session_client"("client_id");

-- CreateIndex
CREATE INDEX "logout_delivery_state_next_attempt_at_idx" ON "logout_delivery"("state", "next_attempt_at");

-- CreateIndex
CREATE INDEX "logout_delivery_client_id_idx" ON "logout_delivery"("client_id");

-- CreateIndex
CREATE INDEX "signing_key_key_set_state_idx" ON "signing_key"("key_set", "state");

-- CreateIndex
CREATE INDEX "replayed_assertion_expires_at_idx" ON "replayed_assertion"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_event_position_key" ON "audit_event"("position");

-- CreateIndex
CREATE INDEX "audit_event_target_idx" ON "audit_event"("target");

-- CreateIndex
CREATE INDEX "artifact_kind_uid_idx" ON "artifact"("kind", "uid");

-- CreateIndex
CREATE INDEX "artifact_kind_user_code_idx" ON "artifact"("kind", "user_code");

-- CreateIndex
CREATE INDEX "artifact_authorization_id_idx" ON "artifact"("authorization_id");

-- CreateIndex
CREATE INDEX "artifact_expires_at_idx" ON "artifact"("expires_at");

-- AddForeignKey
ALTER TABLE "earlier_client_secret" ADD CONSTRAINT "earlier_client_secret_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "initial_access_token_use" ADD CONSTRAINT "initial_access_token_use_token_digest_fkey" FOREIGN KEY ("token_digest") REFERENCES "initial_access_token"("digest") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_authorization_id_fkey" FOREIGN KEY ("authorization_id") REFERENCES "authorization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_authorization_id_fkey" FOREIGN KEY ("authorization_id") REFERENCES "authorization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization" ADD CONSTRAINT "authorization_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_client" ADD CONSTRAINT "session_client_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_client" ADD CONSTRAINT "session_client_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand, what the schema language cannot say.

-- Digests are those of HMAC-SHA-256 or SHA-256.
ALTER TABLE "client" ADD CONSTRAINT "client_secret_digest_length" CHECK (octet_length("secret_digest") = 32);
ALTER TABLE "client" ADD CONSTRAINT "client_registration_token_digest_length" CHECK (octet_length("registration_token_digest") = 32);
ALTER TABLE "client" ADD CONSTRAINT "client_previous_registration_token_digest_length" CHECK (octet_length("previous_registration_token_digest") = 32);
ALTER TABLE "earlier_client_secret" ADD CONSTRAINT "earlier_client_secret_digest_length" CHECK (octet_length("digest") = 32);
ALTER TABLE "initial_access_token" ADD CONSTRAINT "initial_access_token_digest_length" CHECK (octet_length("digest") = 32);
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_digest_length" CHECK (octet_length("digest") = 32);
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_digest_length" CHECK (octet_length("digest") = 32);
ALTER TABLE "session" ADD CONSTRAINT "session_cookie_digest_length" CHECK (octet_length("cookie_digest") = 32);
ALTER TABLE "replayed_assertion" ADD CONSTRAINT "replayed_assertion_digest_length" CHECK (octet_length("digest") = 32);
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_digest_length" CHECK (octet_length("digest") = 32);
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_before_digest_length" CHECK (octet_length("before_digest") = 32);
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_after_digest_length" CHECK (octet_length("after_digest") = 32);
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_hash_length" CHECK (octet_length("hash") = 32);

-- Two forms of one credential come and go together, and so do the facts of a federation membership.
ALTER TABLE "client" ADD CONSTRAINT "client_secret_forms" CHECK (("secret_digest" IS NULL) = ("secret_sealed" IS NULL) AND ("secret_expires_at" IS NULL OR "secret_digest" IS NOT NULL));
ALTER TABLE "client" ADD CONSTRAINT "client_registration_token_forms" CHECK (("registration_token_digest" IS NULL) = ("registration_token_sealed" IS NULL));
ALTER TABLE "client" ADD CONSTRAINT "client_previous_registration_token_forms" CHECK (("previous_registration_token_digest" IS NULL) = ("previous_registration_token_expires_at" IS NULL));
ALTER TABLE "client" ADD CONSTRAINT "client_federation_membership" CHECK (num_nulls("entity_id", "trust_anchor", "superior", "chain_expires_at") IN (0, 4));

-- Counts never fall below what they count.
ALTER TABLE "client" ADD CONSTRAINT "client_version_positive" CHECK ("version" >= 1);
ALTER TABLE "initial_access_token" ADD CONSTRAINT "initial_access_token_uses_left" CHECK ("uses_left" >= 0);
ALTER TABLE "logout_delivery" ADD CONSTRAINT "logout_delivery_attempts" CHECK ("attempts" >= 0);

-- An absent audience is an empty one.
ALTER TABLE "initial_access_token" ALTER COLUMN "audience" SET NOT NULL;
ALTER TABLE "access_token" ALTER COLUMN "audience" SET NOT NULL;

-- The net below parallel first starts and rotations: what is active is active alone.
CREATE UNIQUE INDEX "data_key_active_key" ON "data_key"("purpose") WHERE "state" = 'active';
CREATE UNIQUE INDEX "signing_key_active_key" ON "signing_key"("key_set", "use", "algorithm") WHERE "state" = 'active';
