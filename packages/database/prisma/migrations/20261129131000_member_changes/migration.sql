-- What an audit event says about two states of a client: the members that differ, with both values. Custom data, and
-- contacts, which are people, are only named, and so are long values, so that events stay small.
CREATE FUNCTION vestibule_member_changes(earlier jsonb, later jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object('changes', CASE WHEN sum(octet_length(change::text)) <= 8192
      THEN jsonb_object_agg(member, change) ELSE jsonb_object_agg(member, '{}'::jsonb) END)
  FROM (
    SELECT member, CASE
        WHEN member IN ('data', 'contacts') OR octet_length(coalesce(earlier->member, 'null')::text)
          + octet_length(coalesce(later->member, 'null')::text) > 2048 THEN '{}'::jsonb
        ELSE (CASE WHEN earlier ? member THEN jsonb_build_object('before', earlier->member) ELSE '{}'::jsonb END)
          || (CASE WHEN later ? member THEN jsonb_build_object('after', later->member) ELSE '{}'::jsonb END)
      END AS change
    FROM jsonb_object_keys(earlier || later) AS member
    WHERE earlier->member IS DISTINCT FROM later->member
  ) AS differences
  HAVING count(*) > 0
$$;
