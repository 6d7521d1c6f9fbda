-- As before, with one statement for all names of tokens that the calling statement stores, still in ascending order.
CREATE OR REPLACE FUNCTION "vestibule_hold_names"("kinds" text[], "names" text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1986360180, held.lock) FROM (
    SELECT 0 AS lock UNION SELECT vestibule_name_lock(name.kind, name.name)
    FROM unnest(kinds, names) AS name (kind, name)
    WHERE name.name IS NOT NULL AND name.kind <> 'issuer' ORDER BY 1
  ) AS held;
END
$$;
