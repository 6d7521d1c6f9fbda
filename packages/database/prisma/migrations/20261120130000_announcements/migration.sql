-- Whoever keeps the state of tokens and clients in memory is told of every change that could make it wrong, with the
-- commit of that change and by whatever wrote it: triggers notify the channel `vestibule_state`.
--
-- A message is JSON. {"v":1,"d":[…]}: access tokens are gone or different, by their digests. {"v":1,"k":[…]}: facts
-- have changed, each named by the SHA-256 of `kind:value`. Digests are in base64. {"v":1,"all":true}: anything may have
-- changed.

-- The name of a fact. Values of any length and any characters have names of the same form.
CREATE FUNCTION "vestibule_fact"("kind" text, "value" text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT encode(sha256(convert_to(kind || ':' || value, 'UTF8')), 'base64')
$$;

-- Announces names in messages that stay below the 8,000 bytes of a notification. Very many of them are everything.
CREATE FUNCTION "vestibule_announce"("member" text, "names" text[]) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  total integer := cardinality(names);
BEGIN
  IF total > 20000 THEN
    PERFORM pg_notify('vestibule_state', '{"v":1,"all":true}');
    RETURN;
  END IF;
  FOR place IN 1..total BY 150 LOOP
    PERFORM pg_notify('vestibule_state', format('{"v":1,"%s":%s}', member, to_json(names[place:place + 149])));
  END LOOP;
END
$$;

CREATE FUNCTION "vestibule_announce_all"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('vestibule_state', '{"v":1,"all":true}');
  RETURN NULL;
END
$$;

-- Deleting what has expired tells nobody anything. Half a minute is for clocks that disagree.
CREATE FUNCTION "vestibule_announce_access_tokens"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM vestibule_announce('d', ARRAY(
    SELECT encode(digest, 'base64') FROM before
    WHERE TG_OP = 'UPDATE' OR expires_at > now() - interval '30 seconds'));
  RETURN NULL;
END
$$;

CREATE FUNCTION "vestibule_announce_revoked_tokens"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM vestibule_announce('k', ARRAY(
    SELECT vestibule_fact('jti', octet_length(convert_to(issuer, 'UTF8')) || ':' || issuer || jti) FROM after));
  RETURN NULL;
END
$$;

CREATE FUNCTION "vestibule_announce_cutoffs"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM vestibule_announce('k', ARRAY(SELECT vestibule_fact(kind::text, value) FROM after));
  RETURN NULL;
END
$$;

CREATE FUNCTION "vestibule_announce_client_changes"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  -- What a client may do and how it proves itself, not when it was last used.
  PERFORM vestibule_announce('k', ARRAY(
    SELECT vestibule_fact('client', id) FROM (
      SELECT id, status, expires_at, secret_digest, secret_expires_at, metadata FROM before
      EXCEPT ALL
      SELECT id, status, expires_at, secret_digest, secret_expires_at, metadata FROM after
    ) AS changed));
  RETURN NULL;
END
$$;

CREATE FUNCTION "vestibule_announce_clients_gone"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM vestibule_announce('k', ARRAY(SELECT vestibule_fact('client', id) FROM before));
  RETURN NULL;
END
$$;

CREATE FUNCTION "vestibule_announce_signing_keys"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM vestibule_announce('k', ARRAY(SELECT DISTINCT vestibule_fact('signing-keys', '') FROM changed));
  RETURN NULL;
END
$$;

CREATE TRIGGER "announce_delete" AFTER DELETE ON "access_token"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_access_tokens"();
CREATE TRIGGER "announce_update" AFTER UPDATE ON "access_token"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_access_tokens"();
CREATE TRIGGER "announce_truncate" AFTER TRUNCATE ON "access_token"
  FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_all"();

CREATE TRIGGER "announce_insert" AFTER INSERT ON "revoked_token"
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_revoked_tokens"();
CREATE TRIGGER "announce_update" AFTER UPDATE ON "revoked_token"
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_revoked_tokens"();

CREATE TRIGGER "announce_insert" AFTER INSERT ON "revocation_cutoff"
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_cutoffs"();
CREATE TRIGGER "announce_update" AFTER UPDATE ON "revocation_cutoff"
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_cutoffs"();

CREATE TRIGGER "announce_update" AFTER UPDATE ON "client"
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_client_changes"();
CREATE TRIGGER "announce_delete" AFTER DELETE ON "client"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_clients_gone"();
CREATE TRIGGER "announce_truncate" AFTER TRUNCATE ON "client"
  FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_all"();

CREATE TRIGGER "announce_insert" AFTER INSERT ON "signing_key"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_signing_keys"();
CREATE TRIGGER "announce_update" AFTER UPDATE ON "signing_key"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_signing_keys"();
CREATE TRIGGER "announce_delete" AFTER DELETE ON "signing_key"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_signing_keys"();
CREATE TRIGGER "announce_truncate" AFTER TRUNCATE ON "signing_key"
  FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_all"();

-- Also for writers that switch ordinary triggers off, such as replication into this database.
ALTER TABLE "access_token" ENABLE ALWAYS TRIGGER "announce_delete";
ALTER TABLE "access_token" ENABLE ALWAYS TRIGGER "announce_update";
ALTER TABLE "access_token" ENABLE ALWAYS TRIGGER "announce_truncate";
ALTER TABLE "revoked_token" ENABLE ALWAYS TRIGGER "announce_insert";
ALTER TABLE "revoked_token" ENABLE ALWAYS TRIGGER "announce_update";
ALTER TABLE "revocation_cutoff" ENABLE ALWAYS TRIGGER "announce_insert";
ALTER TABLE "revocation_cutoff" ENABLE ALWAYS TRIGGER "announce_update";
ALTER TABLE "client" ENABLE ALWAYS TRIGGER "announce_update";
ALTER TABLE "client" ENABLE ALWAYS TRIGGER "announce_delete";
ALTER TABLE "client" ENABLE ALWAYS TRIGGER "announce_truncate";
ALTER TABLE "signing_key" ENABLE ALWAYS TRIGGER "announce_insert";
ALTER TABLE "signing_key" ENABLE ALWAYS TRIGGER "announce_update";
ALTER TABLE "signing_key" ENABLE ALWAYS TRIGGER "announce_delete";
ALTER TABLE "signing_key" ENABLE ALWAYS TRIGGER "announce_truncate";
