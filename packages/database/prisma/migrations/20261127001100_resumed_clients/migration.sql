-- A suspended client that is active again, so that readers do not keep its copy suspended.
CREATE FUNCTION "vestibule_note_resumption"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF vestibule_is_change_used() THEN
    INSERT INTO change ("type", reason, members)
    VALUES ('client.resumed', 'resumed', jsonb_build_object('client_id', NEW.id));
  END IF;
  RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION "vestibule_note_resumption"() FROM PUBLIC;

CREATE TRIGGER "note_resumption" AFTER UPDATE ON "client"
FOR EACH ROW WHEN (NEW."status" = 'active' AND OLD."status" = 'suspended')
EXECUTE FUNCTION "vestibule_note_resumption"();
