-- Imports store tokens in groups of a few dozen, each in a transaction of its own. The tokens of one request that is
-- stored as a whole are reserved first, all in one transaction: until the group of a token is stored, it is pending.
ALTER TABLE "imported_token" ADD COLUMN     "is_pending" BOOLEAN NOT NULL DEFAULT false;

-- The lock of a name: one of about a thousand million, so that two names rarely share one. 0 is the lock of all names.
CREATE FUNCTION "vestibule_name_lock"("kind" text, "name" text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (('x' || encode(substring(sha256(convert_to($1 || ':' || $2, 'UTF8')) FROM 1 FOR 4), 'hex'))::bit(32)::integer
    & 2147483646) + 1
$$;

-- The locks that a revocation takes exclusively: those of its names, or that of all names if they are so many that they
-- could exhaust the lock table of the server. An issuer has none, because a revocation by issuer deletes no tokens.
CREATE OR REPLACE FUNCTION "vestibule_name_locks"("kinds" text[], "names" text[]) RETURNS SETOF integer
LANGUAGE sql IMMUTABLE ROWS 16 AS $$
  SELECT DISTINCT CASE WHEN each.total > 500 THEN 0 ELSE each.lock END FROM (
    SELECT DISTINCT vestibule_name_lock(locked.kind, locked.name) AS lock, count(*) OVER () AS total
    FROM unnest(kinds, names) AS locked (kind, name)
    WHERE locked.name IS NOT NULL AND locked.kind <> 'issuer'
  ) AS each ORDER BY 1
$$;

-- Locks the names of tokens that the calling statement stores in shared mode, until its transaction ends. A statement
-- stores few tokens.
CREATE FUNCTION "vestibule_hold_names"("kinds" text[], "names" text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
DECLARE
  place integer;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1986360180, 0);
  FOR place IN
    SELECT DISTINCT vestibule_name_lock(held.kind, held.name) FROM unnest(kinds, names) AS held (kind, name)
    WHERE held.name IS NOT NULL AND held.kind <> 'issuer' ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock_shared(1986360180, place);
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_cutoffs"("kinds" text[], "names" text[])
RETURNS TABLE ("kind" text, "name" text, "cutoff" timestamptz, "is_final" boolean)
LANGUAGE plpgsql VOLATILE ROWS 4 SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  PERFORM FROM client WHERE id IN (
    SELECT given.name FROM unnest(kinds, names) AS given (kind, name) WHERE given.kind = 'client'
  ) ORDER BY id FOR KEY SHARE;
  PERFORM vestibule_hold_names(kinds, names);
  RETURN QUERY SELECT given.kind, given.name, present.cutoff, present.is_final
    FROM unnest(kinds, names) AS given (kind, name)
    JOIN revocation_cutoff AS present
      ON present.kind = given.kind::revocation_cutoff_kind AND present.value = given.name;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_is_session_over"("session" text, "client" text, "since" timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  PERFORM vestibule_hold_names(ARRAY['session'], ARRAY[session]);
  RETURN EXISTS (
    SELECT FROM revocation_cutoff
    WHERE kind = 'session' AND value = session AND is_final AND cutoff >= since
  ) OR EXISTS (
    SELECT FROM revocation_cutoff
    WHERE kind = 'session' AND value = vestibule_part_of_session(session, client) AND cutoff >= since
  ) AND NOT EXISTS (
    SELECT FROM session_client WHERE session_id = session AND client_id = client
  );
END
$$;

-- Locks the name that a new session is about to get, and returns whether a session, or the part of a client in one, had
-- this name and has ended or was revoked.
CREATE FUNCTION "vestibule_is_name_used_up"("session" text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  PERFORM vestibule_hold_names(ARRAY['session'], ARRAY[session]);
  RETURN EXISTS (SELECT FROM revocation_cutoff WHERE kind = 'session' AND value = session);
END
$$;
