-- What lists of clients can be narrowed to. An index of whole texts would refuse long ones, so that these hold their
-- beginnings; "C" makes the order, and what lower case is, the same in every database.
CREATE INDEX "client_name_idx" ON "client" (lower(left("metadata"->>'client_name', 200) COLLATE "C"));

CREATE INDEX "client_software_id_idx" ON "client" (left("metadata"->>'software_id', 200))
WHERE "metadata"->>'software_id' IS NOT NULL;

CREATE INDEX "client_grant_types_idx" ON "client" USING gin (("metadata"->'grant_types') jsonb_path_ops);

-- Most clients are active and came by registration: those are found in the order of issue, these are few.
CREATE INDEX "client_pending_idx" ON "client" ("issued_at", "id") WHERE "status" = 'pending';

CREATE INDEX "client_origin_idx" ON "client" ("origin", "issued_at", "id")
WHERE "origin" NOT IN ('registration', 'open_registration');
