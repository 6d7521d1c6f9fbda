-- PostgreSQL searches temporary tables first unless a search path names them. Functions with the rights of their owner must
-- not find tables of their caller, whose defaults and triggers would run with these rights.
DO $$
DECLARE
  name regprocedure;
BEGIN
  FOR name IN SELECT oid FROM pg_proc WHERE prosecdef AND pronamespace = current_schema()::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
  END LOOP;
END
$$;
