-- Whether the session, or the part of a client in it, has ended, so that tokens which end with it are inactive whenever they
-- were issued.
ALTER TABLE "revocation_cutoff" ADD COLUMN     "is_final" BOOLEAN NOT NULL DEFAULT false;

-- A revocation by client, end-user or session, and a statement that stores tokens with the same names, happen one after
-- the other: either the revocation deletes the tokens, or the other statement sees the revocation. Both lock the names,
-- the revocation exclusively, the others in shared mode, until their transactions end. What they read afterwards they read
-- in the functions below, because each statement in a volatile function has a snapshot of its own, which contains
-- everything that was committed before the locks were granted. The snapshot of the calling statement is older.
--
-- Locks are taken before the rows that a revocation changes, and in ascending order, so that two statements rarely deadlock.

-- The locks of names: each of 256 stands for many names, so that a statement with thousands of names does not exhaust the
-- lock table of the server. An issuer has none, because a revocation by issuer deletes no tokens.
CREATE FUNCTION "vestibule_name_locks"("kinds" text[], "names" text[]) RETURNS SETOF integer
LANGUAGE sql IMMUTABLE ROWS 16 AS $$
  SELECT DISTINCT get_byte(sha256(convert_to(locked.kind || ':' || locked.name, 'UTF8')), 0)
  FROM unnest(kinds, names) AS locked (kind, name)
  WHERE locked.name IS NOT NULL AND locked.kind <> 'issuer' ORDER BY 1
$$;

-- Locks the names of tokens that the calling statement stores, and returns their cut-offs. The clients are locked first, so
-- that none is deleted and registered again in between.
CREATE FUNCTION "vestibule_cutoffs"("kinds" text[], "names" text[])
RETURNS TABLE ("kind" text, "name" text, "cutoff" timestamptz, "is_final" boolean)
LANGUAGE plpgsql VOLATILE ROWS 4 SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  place integer;
BEGIN
  PERFORM FROM client WHERE id IN (
    SELECT given.name FROM unnest(kinds, names) AS given (kind, name) WHERE given.kind = 'client'
  ) ORDER BY id FOR KEY SHARE;
  FOR place IN SELECT * FROM vestibule_name_locks(kinds, names) LOOP
    PERFORM pg_advisory_xact_lock_shared(1986360180, place);
  END LOOP;
  RETURN QUERY SELECT given.kind, given.name, present.cutoff, present.is_final
    FROM unnest(kinds, names) AS given (kind, name)
    JOIN revocation_cutoff AS present
      ON present.kind = given.kind::revocation_cutoff_kind AND present.value = given.name;
END
$$;

-- The name of a client's part in a session, under which a cut-off is stored when only this part ends.
CREATE FUNCTION "vestibule_part_of_session"("session" text, "client" text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT session || E'\n' || client
$$;

-- Locks the session of a token that the calling statement stores, and returns whether the session, or the part of the
-- client in it, has ended since a time. False for the name of a session that is not known here.
CREATE FUNCTION "vestibule_is_session_over"("session" text, "client" text, "since" timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1986360180, place)
    FROM vestibule_name_locks(ARRAY['session'], ARRAY[session]) AS place;
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

-- Locks names of one kind, deletes the tokens with these names, and returns the names: the calling statement stores a
-- cut-off for each. A session has further names, the identifiers by which its clients know it; they are included unless
-- only the tokens of one client are revoked.
CREATE FUNCTION "vestibule_revoke_tokens"("kind" text, "names" text[], "owner" text DEFAULT NULL) RETURNS SETOF text
LANGUAGE plpgsql VOLATILE ROWS 4 SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  place integer;
  every text[] := names;
BEGIN
  FOR place IN SELECT * FROM vestibule_name_locks(array_fill(kind, ARRAY[cardinality(names)]), names) LOOP
    PERFORM pg_advisory_xact_lock(1986360180, place);
  END LOOP;
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
  RETURN QUERY SELECT DISTINCT unnest(every);
END
$$;

-- Until when, by their time of issue, tokens may have been imported under a digest key that is retired now: it was replaced
-- at this time. Imports under such a key can no longer be recognized. Null if there is no such key.
CREATE FUNCTION "vestibule_forgotten_imports_until"() RETURNS timestamptz
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT max((
    SELECT min(activated_at) FROM data_key WHERE purpose = 'digest' AND activated_at > former.activated_at
  ))
  FROM data_key AS former WHERE purpose = 'digest' AND state = 'retired'
$$;
