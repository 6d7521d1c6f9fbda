-- Whoever keeps the state of tokens in memory reads the keys again when one of them has changed: what was stored under a
-- retired key for digests is known no more.
CREATE FUNCTION "vestibule_announce_data_keys"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM vestibule_announce('k', ARRAY[vestibule_fact('data-keys', '')]);
  RETURN NULL;
END
$$;

CREATE TRIGGER "announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "data_key"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_data_keys"();

ALTER TABLE "data_key" ENABLE ALWAYS TRIGGER "announce_change";
