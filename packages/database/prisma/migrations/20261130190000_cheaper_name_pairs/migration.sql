-- The same results as before for every object, so that the index on the function stays valid. Most clients have their name
-- only once, and then it needs no query. To find that out, the metadata is written as text, which is cheap while it is short.
CREATE OR REPLACE FUNCTION "vestibule_name_pair_array"(metadata JSONB) RETURNS TEXT[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
DECLARE
  names TEXT[];
  name TEXT;
  pairs TEXT[] := '{}';
BEGIN
  IF pg_column_size(metadata) < 8192 AND strpos((metadata - 'client_name')::text, '"client_name') = 0 THEN
    names := ARRAY[metadata ->> 'client_name'];
  ELSE
    names := ARRAY(
      SELECT metadata ->> member FROM jsonb_object_keys(metadata) AS member WHERE starts_with(member, 'client_name')
    );
  END IF;
  FOREACH name IN ARRAY names LOOP
    name := vestibule_fold_case(name);
    FOR start IN 1 .. coalesce(length(name), 0) - 1 LOOP
      pairs := pairs || substr(name, start, 2);
    END LOOP;
  END LOOP;
  RETURN pairs;
END
$$;
