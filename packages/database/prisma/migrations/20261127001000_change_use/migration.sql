-- Changes are recorded only while a program reads them, or did within the retention.

-- How long changes are recorded: one row. Each process with a reader prolongs the time, at most every hour.
CREATE TABLE "change_use" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "origin" TEXT NOT NULL,
    "is_announced" BOOLEAN NOT NULL,

    CONSTRAINT "change_use_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "change_use_single" CHECK ("id" = 1)
);

-- Whether changes are recorded now. Three steps begin a log: a transaction stores the time until which changes are
-- recorded; when it has committed, a second one adds a `reset`; readers start after the reset, once every transaction with
-- a lower identifier has ended. Nothing is missed: a transaction that does not see the time has got its identifier before
-- it looked, so before the first transaction committed and before the second one began. So it has ended when readers start,
-- and they see what it did when they compare their copies after the reset. This needs a look that is newer than the
-- identifier: each statement in a volatile function has a snapshot of its own. A transaction that keeps one snapshot
-- always records.
CREATE FUNCTION "vestibule_is_change_used"() RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  own CONSTANT xid8 NOT NULL := pg_current_xact_id();
BEGIN
  IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
    RETURN true;
  END IF;
  RETURN EXISTS (SELECT FROM change_use WHERE until > now());
END
$$;

-- The server and database of the log. The rows of another one, for example after a dump was restored, cannot be continued:
-- its transactions were counted differently.
CREATE FUNCTION "vestibule_change_origin"() RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  base CONSTANT text := (SELECT oid FROM pg_database WHERE datname = current_database());
BEGIN
  RETURN (SELECT system_identifier::text FROM pg_control_system()) || '/' || base;
EXCEPTION WHEN insufficient_privilege THEN
  RETURN base;
END
$$;

-- How long changes will be recorded, in seconds; 0 if they are not recorded, or if the log has rows of another server, with
-- transactions that have not begun here. Optionally only if the reset was added.
CREATE FUNCTION "vestibule_recorded_seconds"("only_announced" boolean) RETURNS double precision
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
BEGIN
  IF (SELECT transaction FROM change ORDER BY transaction DESC, id DESC LIMIT 1)
    >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN
    RETURN 0;
  END IF;
  RETURN coalesce((
    SELECT greatest(0, extract(epoch FROM until - clock_timestamp())) FROM change_use
    WHERE origin = vestibule_change_origin() AND (is_announced OR NOT only_announced)
  ), 0);
END
$$;

-- The functions of the triggers as before, except that they do nothing while changes are not recorded.
CREATE OR REPLACE FUNCTION "vestibule_note_session"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT vestibule_is_change_used() THEN
    RETURN OLD;
  END IF;
  PERFORM vestibule_note_change(
    'session.ended',
    CASE WHEN OLD.expires_at <= now() THEN 'expired' ELSE 'deleted' END,
    jsonb_build_object('sid', OLD.id, 'sub', OLD.subject, 'clients', vestibule_sids_of_session(OLD.id)));
  RETURN OLD;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_note_session_client"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  end_user text;
BEGIN
  IF NOT vestibule_is_change_used() THEN
    RETURN OLD;
  END IF;
  SELECT subject INTO end_user FROM session WHERE id = OLD.session_id;
  IF end_user IS NOT NULL AND EXISTS (SELECT FROM client WHERE id = OLD.client_id) THEN
    PERFORM vestibule_note_change(
      'session.client_ended',
      'deleted',
      jsonb_build_object('sid', OLD.session_id, 'sub', end_user,
        'clients', jsonb_build_object(OLD.client_id, jsonb_build_object('sid', OLD.sid))));
  END IF;
  RETURN OLD;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_note_client"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  reason text;
BEGIN
  IF NOT vestibule_is_change_used() THEN
    RETURN OLD;
  END IF;
  reason := CASE WHEN TG_OP = 'UPDATE' THEN 'suspended'
    ELSE vestibule_change_reason(CASE WHEN OLD.expires_at <= now() THEN 'expired' ELSE 'deleted' END) END;
  -- An open registration expires only while it is unused.
  IF reason = 'expired' AND OLD.origin = 'open_registration' AND OLD.last_used_at IS NULL THEN
    reason := 'unused';
  END IF;
  INSERT INTO change ("type", reason, members)
  VALUES ('client.ended', reason, jsonb_build_object('client_id', OLD.id));
  RETURN OLD;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_note_cutoff"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  member text := CASE NEW.kind WHEN 'client' THEN 'client_id' WHEN 'subject' THEN 'sub' WHEN 'session' THEN 'sid' ELSE 'iss' END;
  name text := NEW.value;
  facts jsonb;
BEGIN
  IF NOT vestibule_is_change_used() THEN
    RETURN NEW;
  END IF;
  -- What has ended has an event of its own, and so has the part of a client in a session.
  IF NEW.is_final OR (NEW.kind = 'session' AND strpos(NEW.value, E'\n') > 0) THEN
    RETURN NEW;
  END IF;
  IF NEW.kind = 'client' AND NOT EXISTS (SELECT FROM client WHERE id = name) THEN
    RETURN NEW;
  END IF;
  facts := jsonb_build_object('covers', NEW.kind, 'issued_until', floor(extract(epoch FROM NEW.cutoff))::bigint);
  IF NEW.kind = 'session' THEN
    SELECT session_id INTO name FROM session_client WHERE sid = NEW.value;
    IF name IS NULL THEN
      name := NEW.value;
    ELSIF NOT EXISTS (SELECT FROM session WHERE id = name) THEN
      RETURN NEW;
    END IF;
    IF EXISTS (
      SELECT FROM change WHERE transaction = vestibule_transaction() AND (
        (members->>'sid' = name AND ("type" = 'session.ended' OR members->>'covers' = 'session'))
        OR ("type" = 'session.client_ended'
          AND EXISTS (SELECT FROM jsonb_each(members->'clients') AS left_by WHERE left_by.value->>'sid' = NEW.value)))
    ) THEN
      RETURN NEW;
    END IF;
    facts := facts || jsonb_build_object(
      'sub', (SELECT subject FROM session WHERE id = name), 'clients', vestibule_sids_of_session(name));
  -- ON CONFLICT runs the trigger of the insertion first, and then that of the update.
  ELSIF TG_OP = 'UPDATE' AND EXISTS (
    SELECT FROM change WHERE transaction = vestibule_transaction()
      AND members->>'covers' = NEW.kind::text AND members->>member = name
  ) THEN
    RETURN NEW;
  END IF;
  PERFORM vestibule_note_change('tokens.revoked', 'revoked', facts || jsonb_build_object(member, name));
  RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_note_tokens"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT vestibule_is_change_used() THEN
    RETURN NULL;
  END IF;
  IF current_setting('vestibule.covers_tokens', true) = 'on' OR vestibule_change_reason('') = 'expired' OR NOT EXISTS (
    SELECT FROM gone WHERE expires_at > now()
      AND EXISTS (SELECT FROM client WHERE id = gone.client_id)
      AND (authorization_id IS NULL OR EXISTS (SELECT FROM "authorization" WHERE id = gone.authorization_id))
  ) THEN
    RETURN NULL;
  END IF;
  WITH noted AS MATERIALIZED (
    SELECT members FROM change WHERE transaction = vestibule_transaction()
  ), revoked_client AS (
    SELECT members->>'client_id' AS name FROM noted WHERE members->>'covers' = 'client'
  ), revoked_subject AS (
    SELECT members->>'sub' AS name FROM noted WHERE members->>'covers' = 'subject'
  ), revoked_grant AS (
    SELECT members->>'grant_id' AS name FROM noted WHERE members->>'covers' = 'grant'
  ), ended_session AS (
    SELECT members->>'sid' AS name FROM noted WHERE members ? 'clients'
    UNION SELECT client.value->>'sid' FROM noted, jsonb_each(members->'clients') AS client
  ), revoked AS (
    SELECT gone.*, to_jsonb(gone)->>'jti' AS own_jti, coalesce(authorization_id, encode(digest, 'hex')) AS cause
    FROM gone
    WHERE expires_at > now()
      AND EXISTS (SELECT FROM client WHERE id = gone.client_id)
      AND (authorization_id IS NULL OR EXISTS (SELECT FROM "authorization" WHERE id = gone.authorization_id))
      AND NOT EXISTS (SELECT FROM revoked_client WHERE name = gone.client_id)
      AND NOT EXISTS (SELECT FROM revoked_subject WHERE name = gone.subject)
      AND NOT EXISTS (SELECT FROM revoked_grant WHERE name = gone.authorization_id)
      AND NOT EXISTS (SELECT FROM ended_session WHERE name = gone.session_id)
  ), cause AS (
    SELECT client_id, subject, authorization_id, count(*) = 1 AS is_single, min(session_id) AS session_id,
      min(own_jti) AS jti, min(issued_at) AS issued_at, min(expires_at) AS expires_at,
      -- A refresh token ends with all that was issued with it, unless some of that is left.
      count(*) > 1 OR (TG_TABLE_NAME = 'refresh_token' AND authorization_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM access_token WHERE access_token.authorization_id = revoked.authorization_id)
        AND NOT EXISTS (SELECT FROM refresh_token WHERE refresh_token.authorization_id = revoked.authorization_id)
      ) AS is_grant
    FROM revoked GROUP BY cause, client_id, subject, authorization_id
  )
  INSERT INTO change ("type", reason, members)
  SELECT 'tokens.revoked', vestibule_change_reason('revoked'), jsonb_strip_nulls(jsonb_build_object(
    'covers', CASE WHEN is_grant THEN 'grant' ELSE 'token' END,
    'token_type', CASE WHEN NOT is_grant THEN TG_TABLE_NAME END,
    'client_id', client_id, 'sub', subject, 'grant_id', authorization_id)
    || CASE WHEN is_grant OR NOT is_single THEN '{}' ELSE jsonb_build_object(
      'jti', jti, 'sid', session_id,
      'iat', floor(extract(epoch FROM issued_at))::bigint, 'exp', floor(extract(epoch FROM expires_at))::bigint) END)
  FROM cause;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_note_authorizations"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT vestibule_is_change_used() THEN
    RETURN NULL;
  END IF;
  IF vestibule_change_reason('') = 'expired' OR NOT EXISTS (
    SELECT FROM gone WHERE EXISTS (SELECT FROM client WHERE id = gone.client_id)
  ) THEN
    RETURN NULL;
  END IF;
  INSERT INTO change ("type", reason, members)
  SELECT 'tokens.revoked', vestibule_change_reason('revoked'),
    jsonb_build_object('covers', 'grant', 'client_id', client_id, 'sub', subject, 'grant_id', id)
  FROM gone
  WHERE (expires_at IS NULL OR expires_at > now())
    AND EXISTS (SELECT FROM client WHERE id = gone.client_id)
    AND NOT EXISTS (
      SELECT FROM change WHERE transaction = vestibule_transaction() AND (
        (members->>'covers' = 'client' AND members->>'client_id' = gone.client_id)
        OR (members->>'covers' = 'subject' AND members->>'sub' = gone.subject)
        OR (members->>'covers' = 'grant' AND members->>'grant_id' = gone.id)));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_note_revoked_tokens"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT vestibule_is_change_used() THEN
    RETURN NULL;
  END IF;
  INSERT INTO change ("type", reason, members)
  SELECT 'tokens.revoked', vestibule_change_reason('revoked'),
    jsonb_build_object('covers', 'token', 'token_type', 'access_token', 'iss', issuer, 'jti', jti,
      'exp', floor(extract(epoch FROM expires_at))::bigint)
  FROM revoked
  WHERE expires_at > now() AND NOT EXISTS (
    SELECT FROM change WHERE transaction = vestibule_transaction() AND members->>'covers' IN ('client', 'subject'));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_note_truncation"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT vestibule_is_change_used() THEN
    RETURN NULL;
  END IF;
  INSERT INTO change ("type", reason, members) VALUES ('reset', 'truncated', '{}');
  RETURN NULL;
END
$$;

-- A role that may create tables could call these with triggers of its own.
REVOKE EXECUTE ON FUNCTION "vestibule_is_change_used"(), "vestibule_note_session"(), "vestibule_note_session_client"(),
  "vestibule_note_client"(), "vestibule_note_cutoff"(), "vestibule_note_tokens"(), "vestibule_note_authorizations"(),
  "vestibule_note_revoked_tokens"(), "vestibule_note_truncation"(), "vestibule_announce_changes"() FROM PUBLIC;
