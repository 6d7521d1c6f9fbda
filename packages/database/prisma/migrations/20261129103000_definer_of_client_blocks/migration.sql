-- Every name under which a client can be blocked, now with all members that have URIs.
CREATE OR REPLACE FUNCTION "vestibule_names_of_client"("client_id" text, "entity_id" text, "metadata" jsonb)
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
      'backchannel_logout_uri', 'jwks_uri', 'sector_identifier_uri', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri',
      'resource_identifiers', 'tls_client_auth_san_uri')
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

-- With the rights of its owner, so that blocks also hold for a role that may write clients and not read blocks.
CREATE OR REPLACE FUNCTION "vestibule_refuse_blocked_client"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(4419027735518806241);
  IF vestibule_is_blocked(NEW."id", NEW."entity_id", NEW."metadata") THEN
    RAISE check_violation USING CONSTRAINT = 'client_block', MESSAGE = 'the client is blocked';
  END IF;
  RETURN NULL;
END
$$;

-- Temporary tables of the caller must not be found in place of the blocks.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION vestibule_refuse_blocked_client() SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION vestibule_is_blocked(text, text, jsonb) SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION vestibule_names_of_client(text, text, jsonb) SET search_path = %I, pg_temp', current_schema());
END
$$;

-- Also when a client becomes that of another entity.
DROP TRIGGER "refuse_blocked_client" ON "client";

CREATE TRIGGER "refuse_blocked_client" AFTER UPDATE OF "id", "entity_id", "metadata" ON "client"
FOR EACH ROW WHEN ((NEW."id", NEW."entity_id", NEW."metadata") IS DISTINCT FROM (OLD."id", OLD."entity_id", OLD."metadata"))
EXECUTE FUNCTION "vestibule_refuse_blocked_client"();
