-- What operators have blocked: clients with one of these names can neither be registered nor be changed to have one.
CREATE TYPE "client_block_kind" AS ENUM ('host', 'redirect_uri', 'software_id');

CREATE TABLE "client_block" (
    "kind" "client_block_kind" NOT NULL,
    "value" TEXT NOT NULL,
    "reason" TEXT,
    "blocked_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_block_pkey" PRIMARY KEY ("kind","value")
);

-- The parts of a URI that compare: scheme and host in lower case, an authority without user name and default port, and
-- without any port on a loopback address, where applications choose one for each login (RFC 8252 section 7.3). `name` is the
-- spelling under which a redirect URI is blocked. Without a search path, which costs more than the rest.
CREATE FUNCTION "vestibule_read_uri"("uri" text, OUT "scheme" text, OUT "host" text, OUT "authority" text, OUT "name" text)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  parts text[] := regexp_match(uri, '^([A-Za-z][A-Za-z0-9+.-]*):(?://([^/?#]*))?(.*)$');
BEGIN
  scheme := lower(parts[1]);
  authority := lower(regexp_replace(parts[2], '^.*@', ''));
  host := rtrim(regexp_replace(authority, ':[0-9]*$', ''), '.');
  authority := CASE
    WHEN host IN ('localhost', '127.0.0.1', '[::1]') THEN host
    ELSE host || regexp_replace(
      coalesce(substring(authority FROM ':[0-9]*$'), ''),
      CASE scheme WHEN 'https' THEN '^:(443)?$' WHEN 'http' THEN '^:(80)?$' ELSE '^:$' END, '')
  END;
  name := scheme || ':' || coalesce('//' || authority, '')
    || CASE WHEN scheme IN ('https', 'http') AND left(parts[3], 1) <> '/' THEN '/' ELSE '' END || parts[3];
END
$$;

-- Every name under which a client can be blocked.
CREATE FUNCTION "vestibule_names_of_client"("client_id" text, "entity_id" text, "metadata" jsonb)
RETURNS TABLE ("kind" "client_block_kind", "value" text)
LANGUAGE sql IMMUTABLE SET search_path FROM CURRENT AS $$
  WITH given AS (
    SELECT split_part(entry.name, '#', 1) AS member, element.content #>> '{}' AS uri
    FROM jsonb_each(metadata) AS entry (name, content),
      jsonb_array_elements(
        CASE jsonb_typeof(entry.content) WHEN 'array' THEN entry.content ELSE jsonb_build_array(entry.content) END
      ) AS element (content)
    WHERE jsonb_typeof(element.content) = 'string' AND split_part(entry.name, '#', 1) IN (
      'redirect_uris', 'post_logout_redirect_uris', 'request_uris', 'initiate_login_uri', 'frontchannel_logout_uri',
      'backchannel_logout_uri', 'jwks_uri', 'sector_identifier_uri', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri')
    UNION ALL SELECT 'client_id', client_id
    UNION ALL SELECT 'entity_id', entity_id
  ), uris AS (
    SELECT given.member, parts.* FROM given, vestibule_read_uri(given.uri) AS parts
    WHERE parts.scheme IS NOT NULL
  ), hosts AS (
    SELECT DISTINCT host FROM uris WHERE scheme IN ('https', 'http') AND host <> ''
  )
  SELECT 'host'::client_block_kind, host FROM hosts
  UNION ALL
  SELECT 'host', '*.' || substring(hosts.host FROM dot.position + 1)
  FROM hosts, generate_series(1, length(hosts.host)) AS dot (position)
  WHERE substr(hosts.host, dot.position, 1) = '.'
  UNION ALL
  SELECT 'redirect_uri', one FROM uris, unnest(ARRAY[
    uris.name, uris.scheme || ':*', uris.scheme || '://' || uris.authority || '/*'
  ]) AS one
  WHERE uris.member = 'redirect_uris' AND one IS NOT NULL
  UNION ALL
  SELECT 'software_id', metadata ->> 'software_id' WHERE jsonb_typeof(metadata -> 'software_id') = 'string'
$$;

CREATE FUNCTION "vestibule_is_blocked"("client_id" text, "entity_id" text, "metadata" jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM client_block) THEN
    RETURN false;
  END IF;
  RETURN EXISTS (
    SELECT FROM vestibule_names_of_client(client_id, entity_id, metadata) AS name
    JOIN client_block ON client_block.kind = name.kind AND client_block.value = name.value
  );
END
$$;

-- Blocking waits for the clients that are being added, and those after it see the block: none is added between a block
-- and the deletion of what it covers.
CREATE FUNCTION "vestibule_refuse_blocked_client"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(4419027735518806241);
  IF vestibule_is_blocked(NEW."id", NEW."entity_id", NEW."metadata") THEN
    RAISE check_violation USING CONSTRAINT = 'client_block', MESSAGE = 'the client is blocked';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "refuse_new_blocked_client" AFTER INSERT ON "client"
FOR EACH ROW EXECUTE FUNCTION "vestibule_refuse_blocked_client"();

CREATE TRIGGER "refuse_blocked_client" AFTER UPDATE OF "metadata" ON "client"
FOR EACH ROW WHEN (NEW."metadata" IS DISTINCT FROM OLD."metadata")
EXECUTE FUNCTION "vestibule_refuse_blocked_client"();
