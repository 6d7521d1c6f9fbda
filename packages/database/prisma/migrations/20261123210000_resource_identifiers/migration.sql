-- The absolute URIs that name a resource server in the audience of tokens, without a slash at the end. The registered
-- metadata are the truth; this table keeps each name to one client.
CREATE TABLE "client_resource_identifier" (
    "identifier" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,

    CONSTRAINT "client_resource_identifier_pkey" PRIMARY KEY ("identifier")
);

CREATE INDEX "client_resource_identifier_client_id_idx" ON "client_resource_identifier" ("client_id");

ALTER TABLE "client_resource_identifier"
  ADD CONSTRAINT "client_resource_identifier_client_id_fkey"
  FOREIGN KEY ("client_id") REFERENCES "client" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Client identifiers name resource servers as well: no resource identifier of one client may be the identifier of
-- another. Whoever takes a name holds a lock on it until the end of the transaction, so that the second one sees the
-- first. Names are taken in one order, so that no two wait for each other.
CREATE FUNCTION "vestibule_keep_resource_identifiers"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  names TEXT[];
  name TEXT;
BEGIN
  SELECT coalesce(array_agg(DISTINCT regexp_replace(value, '/$', '') ORDER BY regexp_replace(value, '/$', '')), '{}')
    INTO names
    FROM jsonb_array_elements_text(coalesce(NEW."metadata" -> 'resource_identifiers', '[]'));
  DELETE FROM "client_resource_identifier" WHERE "client_id" = NEW."id" AND "identifier" <> ALL (names);
  FOREACH name IN ARRAY names LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('vestibule_resource_name ' || name, 0));
    CONTINUE WHEN EXISTS (
      SELECT FROM "client_resource_identifier" WHERE "identifier" = name AND "client_id" = NEW."id"
    );
    IF EXISTS (SELECT FROM "client_resource_identifier" WHERE "identifier" = name)
      OR EXISTS (SELECT FROM "client" WHERE "id" IN (name, name || '/') AND "id" <> NEW."id")
    THEN
      RAISE unique_violation USING CONSTRAINT = 'client_resource_identifier_pkey', DETAIL = name,
        MESSAGE = 'a resource identifier names another client';
    END IF;
    INSERT INTO "client_resource_identifier" ("identifier", "client_id") VALUES (name, NEW."id");
  END LOOP;
  RETURN NULL;
END
$$;

CREATE TRIGGER "keep_new_resource_identifiers" AFTER INSERT ON "client"
FOR EACH ROW WHEN (NEW."metadata" -> 'resource_identifiers' IS NOT NULL)
EXECUTE FUNCTION "vestibule_keep_resource_identifiers"();

CREATE TRIGGER "keep_resource_identifiers" AFTER UPDATE OF "metadata" ON "client"
FOR EACH ROW WHEN (
  NEW."metadata" -> 'resource_identifiers' IS DISTINCT FROM OLD."metadata" -> 'resource_identifiers'
)
EXECUTE FUNCTION "vestibule_keep_resource_identifiers"();

-- Only identifiers that are URIs can be names of others.
CREATE FUNCTION "vestibule_refuse_named_client"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  name TEXT := regexp_replace(NEW."id", '/$', '');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('vestibule_resource_name ' || name, 0));
  IF EXISTS (SELECT FROM "client_resource_identifier" WHERE "identifier" = name AND "client_id" <> NEW."id") THEN
    RAISE unique_violation USING CONSTRAINT = 'client_pkey',
      MESSAGE = 'the client identifier is a resource identifier of another client';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "refuse_named_client" AFTER INSERT ON "client"
FOR EACH ROW WHEN (position(':' IN NEW."id") > 0)
EXECUTE FUNCTION "vestibule_refuse_named_client"();
