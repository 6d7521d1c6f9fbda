-- As `vestibule_name_pairs`, but as an array: an index of arrays says by itself whether a client has all pairs of a text,
-- while one of JSON has every client that it finds checked by the function again. It is part of an index: never change it,
-- make a new one. A later version can drop the function of before, which searches of the previous version call.
CREATE FUNCTION "vestibule_name_pair_array"(metadata JSONB) RETURNS TEXT[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
DECLARE
  name TEXT;
  pairs TEXT[] := '{}';
BEGIN
  FOR name IN
    SELECT vestibule_fold_case(metadata ->> member) FROM jsonb_object_keys(metadata) AS member
    WHERE starts_with(member, 'client_name')
  LOOP
    FOR start IN 1 .. coalesce(length(name), 0) - 1 LOOP
      pairs := pairs || substr(name, start, 2);
    END LOOP;
  END LOOP;
  RETURN pairs;
END
$$;
