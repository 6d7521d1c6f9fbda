-- Sessions, tokens and clients that ended, for servers that keep their own copies of them. Triggers write the events in
-- the transaction that ends something, whatever wrote it.

-- The identifier of the current transaction. It grows with each transaction that writes.
CREATE FUNCTION "vestibule_transaction"() RETURNS bigint
LANGUAGE sql STABLE AS $$ SELECT pg_current_xact_id()::text::bigint $$;

-- Events are read in the order of their transactions, and only those of transactions before the oldest one that still
-- runs, so that a transaction that commits late is never skipped.
CREATE TABLE "change" (
    "transaction" BIGINT NOT NULL DEFAULT "vestibule_transaction"(),
    "id" BIGSERIAL NOT NULL,
    "event_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "type" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "members" JSONB NOT NULL,

    CONSTRAINT "change_pkey" PRIMARY KEY ("transaction", "id")
);

CREATE UNIQUE INDEX "change_event_id_key" ON "change"("event_id");
CREATE INDEX "change_occurred_at_idx" ON "change"("occurred_at");

CREATE FUNCTION "vestibule_announce_changes"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('vestibule_change', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER "announce_insert" AFTER INSERT ON "change"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_changes"();

ALTER TABLE "change" ENABLE ALWAYS TRIGGER "announce_insert";

-- The reason that the statement gives in the setting `vestibule.change_reason`, which lasts until its transaction ends.
CREATE FUNCTION "vestibule_change_reason"("otherwise" text) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('vestibule.change_reason', true), ''), otherwise)
$$;

CREATE FUNCTION "vestibule_note_change"("type" text, "otherwise" text, "members" jsonb) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO change ("type", reason, members)
  VALUES ($1, vestibule_change_reason($2), jsonb_strip_nulls($3))
$$;

-- The clients of a session by identifier, each with its `sid`.
CREATE FUNCTION "vestibule_sids_of_session"("session" text) RETURNS jsonb
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT coalesce(jsonb_object_agg(client_id, jsonb_build_object('sid', sid)), '{}')
  FROM session_client WHERE session_id = $1
$$;

-- The triggers write with the rights of their owner, so that roles which may only delete rows can still delete them. The
-- functions that they share are for them alone.
REVOKE EXECUTE ON FUNCTION "vestibule_note_change"(text, text, jsonb), "vestibule_sids_of_session"(text) FROM PUBLIC;

-- What ends as a whole is noted before the rows are deleted. The triggers of single tokens run after all statements of a
-- command, and leave out what such an event covers.

CREATE FUNCTION "vestibule_note_session"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM vestibule_note_change(
    'session.ended',
    CASE WHEN OLD.expires_at <= now() THEN 'expired' ELSE 'deleted' END,
    jsonb_build_object('sid', OLD.id, 'sub', OLD.subject, 'clients', vestibule_sids_of_session(OLD.id)));
  RETURN OLD;
END
$$;

-- A session without an end-user, before a login, has no event.
CREATE TRIGGER "note_delete" BEFORE DELETE ON "session"
FOR EACH ROW WHEN (OLD."subject" IS NOT NULL) EXECUTE FUNCTION "vestibule_note_session"();

-- Rows that are deleted with their session or their client have no event of their own.
CREATE FUNCTION "vestibule_note_session_client"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  end_user text;
BEGIN
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

CREATE TRIGGER "note_delete" BEFORE DELETE ON "session_client"
FOR EACH ROW EXECUTE FUNCTION "vestibule_note_session_client"();

CREATE FUNCTION "vestibule_note_client"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  reason text := CASE WHEN TG_OP = 'UPDATE' THEN 'suspended'
    ELSE vestibule_change_reason(CASE WHEN OLD.expires_at <= now() THEN 'expired' ELSE 'deleted' END) END;
BEGIN
  -- An open registration expires only while it is unused.
  IF reason = 'expired' AND OLD.origin = 'open_registration' AND OLD.last_used_at IS NULL THEN
    reason := 'unused';
  END IF;
  INSERT INTO change ("type", reason, members)
  VALUES ('client.ended', reason, jsonb_build_object('client_id', OLD.id));
  RETURN OLD;
END
$$;

CREATE TRIGGER "note_delete" BEFORE DELETE ON "client"
FOR EACH ROW EXECUTE FUNCTION "vestibule_note_client"();

CREATE TRIGGER "note_suspension" AFTER UPDATE ON "client"
FOR EACH ROW WHEN (NEW."status" = 'suspended' AND OLD."status" <> 'suspended')
EXECUTE FUNCTION "vestibule_note_client"();

-- A cut-off is one event, however many tokens it covers. Those of a client, session or session's client that has just
-- ended are covered by the event of that.
CREATE FUNCTION "vestibule_note_cutoff"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  member text := CASE NEW.kind WHEN 'client' THEN 'client_id' WHEN 'subject' THEN 'sub' WHEN 'session' THEN 'sid' ELSE 'iss' END;
  name text := NEW.value;
  facts jsonb := jsonb_build_object('covers', NEW.kind, 'issued_until', floor(extract(epoch FROM NEW.cutoff))::bigint);
BEGIN
  -- What has ended has an event of its own, and so has the part of a client in a session.
  IF NEW.is_final OR (NEW.kind = 'session' AND strpos(NEW.value, E'\n') > 0) THEN
    RETURN NEW;
  END IF;
  IF NEW.kind = 'client' AND NOT EXISTS (SELECT FROM client WHERE id = name) THEN
    RETURN NEW;
  END IF;
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

CREATE TRIGGER "note_cutoff" BEFORE INSERT OR UPDATE ON "revocation_cutoff"
FOR EACH ROW EXECUTE FUNCTION "vestibule_note_cutoff"();

-- Tokens of clients and authorizations that are gone, and expired ones, have no event.
CREATE FUNCTION "vestibule_note_tokens"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
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

CREATE TRIGGER "note_delete" AFTER DELETE ON "access_token"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_tokens"();
CREATE TRIGGER "note_delete" AFTER DELETE ON "refresh_token"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_tokens"();

-- As before, but the deleted tokens have no events of their own: the cut-off that the caller stores is the event.
CREATE OR REPLACE FUNCTION "vestibule_revoke_tokens"("kind" text, "names" text[], "owner" text DEFAULT NULL) RETURNS SETOF text
LANGUAGE plpgsql VOLATILE ROWS 4 SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  place integer;
  every text[] := names;
BEGIN
  FOR place IN SELECT * FROM vestibule_name_locks(array_fill(kind, ARRAY[cardinality(names)]), names) LOOP
    PERFORM pg_advisory_xact_lock(1986360180, place);
  END LOOP;
  PERFORM set_config('vestibule.covers_tokens', 'on', true);
  IF kind = 'client' THEN
    DELETE FROM access_token WHERE client_id = ANY(every);
    DELETE FROM refresh_token WHERE client_id = ANY(every);
  ELSIF kind = 'subject' THEN
    DELETE FROM access_token WHERE subject = ANY(every);
    DELETE FROM refresh_token WHERE subject = ANY(every);
  ELSIF owner IS NOT NULL THEN
    DELETE FROM access_token WHERE session_id = ANY(every) AND client_id = owner;
    DELETE FROM refresh_token WHERE session_id = ANY(every) AND client_id = owner;
  ELSE
    every := every || ARRAY(SELECT sid FROM session_client WHERE session_id = ANY(names));
    DELETE FROM access_token WHERE session_id = ANY(every);
    DELETE FROM refresh_token WHERE session_id = ANY(every);
  END IF;
  PERFORM set_config('vestibule.covers_tokens', '', true);
  RETURN QUERY SELECT DISTINCT unnest(every);
END
$$;

CREATE FUNCTION "vestibule_note_authorizations"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
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

CREATE TRIGGER "note_delete" AFTER DELETE ON "authorization"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_authorizations"();

-- Self-contained tokens that are revoked with everything of an end-user have no event of their own.
CREATE FUNCTION "vestibule_note_revoked_tokens"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
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

CREATE TRIGGER "note_insert" AFTER INSERT ON "revoked_token"
  REFERENCING NEW TABLE AS revoked FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_revoked_tokens"();

-- After TRUNCATE, readers have to compare everything.
CREATE FUNCTION "vestibule_note_truncation"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO change ("type", reason, members) VALUES ('reset', 'truncated', '{}');
  RETURN NULL;
END
$$;

CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "client"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "session"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "access_token"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "refresh_token"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
