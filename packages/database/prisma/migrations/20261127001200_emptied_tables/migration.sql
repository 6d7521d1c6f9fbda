-- After TRUNCATE of these tables, too, readers have to compare everything.
CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "authorization"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "session_client"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "revocation_cutoff"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "revoked_token"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
CREATE TRIGGER "note_truncate" AFTER TRUNCATE ON "change"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_note_truncation"();
