-- Whether the client received an ID token of the session from the direct authorization endpoint.
ALTER TABLE "session_client" ADD COLUMN     "has_id_token" BOOLEAN NOT NULL DEFAULT false;

-- The session that ended, so that all its notifications can be found.
ALTER TABLE "logout_delivery" ADD COLUMN     "session_id" TEXT;

-- The origin of a back-channel logout URI, without its scheme: host and port, with the default port filled in. Clients
-- on different ports of one host are different servers.
CREATE OR REPLACE FUNCTION "vestibule_logout_host"("uri" text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(regexp_replace(authority, ':[0-9]*$', '')) || ':' || coalesce(
    nullif(substring(authority FROM ':([0-9]*)$'), ''),
    CASE WHEN lower(scheme) = 'http' THEN '80' ELSE '443' END
  )
  FROM (
    SELECT coalesce(substring(uri FROM '^([^:]+)://'), '') AS scheme,
      regexp_replace(coalesce(substring(uri FROM '^[^:]+://([^/?#]*)'), ''), '^.*@', '') AS authority
  ) AS part
$$;

-- The clients of a session as they are when it is called, and not as they were when the calling statement began: a client
-- may enter a session while the statement that ends it waits for the row of the session.
CREATE FUNCTION "vestibule_session_clients"("session" text)
RETURNS TABLE ("client_id" text, "sid" text, "has_id_token" boolean)
LANGUAGE sql VOLATILE ROWS 4 SET search_path FROM CURRENT AS $$
  SELECT client_id, sid, has_id_token FROM session_client WHERE session_id = $1
$$;
