-- As before, but with the rights of the owner, so that roles with different rights agree on the origin of the log.
CREATE OR REPLACE FUNCTION "vestibule_change_origin"() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  base CONSTANT text := (SELECT oid FROM pg_database WHERE datname = current_database());
BEGIN
  RETURN (SELECT system_identifier::text FROM pg_control_system()) || '/' || base;
EXCEPTION WHEN insufficient_privilege THEN
  RETURN base;
END
$$;
