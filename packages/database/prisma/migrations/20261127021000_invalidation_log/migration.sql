-- The invalidation events of programs that cache the state of tokens and clients. The triggers write them, with the
-- transaction of the change and whatever wrote it; readers poll them.
--
-- A poll reads the events of the transactions that were not visible to the previous poll, by the snapshots of both. So the
-- events are complete whatever the order of commits: what was committed before a poll was sent is visible to it.
--
-- The tables are unlogged: after a crash, and on a promoted standby, they are empty. Readers then find no epoch, and treat
-- everything as changed.
CREATE UNLOGGED TABLE "invalidation_event" (
    "transaction_id" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "kind" TEXT NOT NULL,
    "tags" TEXT[] NOT NULL DEFAULT '{}'
);

CREATE INDEX "invalidation_event_transaction_id_kind_idx" ON "invalidation_event"("transaction_id", "kind");

-- One row. Readers that know another epoch may have missed events, and so may those whose snapshot is older than the
-- events that are kept.
CREATE UNLOGGED TABLE "invalidation_epoch" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "epoch" UUID NOT NULL DEFAULT gen_random_uuid(),
    "origin" TEXT NOT NULL,
    "kept_from" xid8 NOT NULL,
    "next_kept_from" xid8 NOT NULL,
    "moved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invalidation_epoch_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invalidation_epoch_single" CHECK ("id" = 1)
);

-- The events that the calling statement sees and that are not visible in an earlier snapshot; none without a snapshot.
-- STABLE, so that it has the snapshot of the calling statement.
CREATE FUNCTION "vestibule_invalidations_since"("earlier" pg_snapshot)
RETURNS TABLE ("transaction_id" xid8, "kind" text, "tags" text[])
LANGUAGE plpgsql STABLE STRICT ROWS 10 SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT event.transaction_id, event.kind, event.tags FROM invalidation_event AS event
    WHERE event.transaction_id >= pg_snapshot_xmax(earlier);
  RETURN QUERY SELECT event.transaction_id, event.kind, event.tags FROM invalidation_event AS event
    WHERE event.transaction_id = ANY(ARRAY(SELECT pg_snapshot_xip(earlier)));
END
$$;

-- Once a transaction is enough: a transaction that changes very many rows would fill the table.
CREATE FUNCTION "vestibule_announce_everything"() RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO invalidation_event (kind) SELECT 'everything' WHERE NOT EXISTS (
    SELECT FROM invalidation_event WHERE transaction_id = pg_current_xact_id() AND kind = 'everything');
END
$$;

-- Writes an event with names: `d` for tokens, `k` for entities. Very many of them are everything.
CREATE OR REPLACE FUNCTION "vestibule_announce"("member" text, "names" text[]) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF cardinality(names) > 20000 THEN
    PERFORM vestibule_announce_everything();
  ELSIF cardinality(names) > 0 THEN
    INSERT INTO invalidation_event (kind, tags)
    VALUES (CASE member WHEN 'd' THEN 'tokens' ELSE 'entities' END, names);
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_announce_all"() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM vestibule_announce_everything();
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "vestibule_announce_client_change"() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF (OLD."id", OLD."status", OLD."expires_at", OLD."secret_digest", OLD."secret_expires_at", OLD."metadata")
    IS DISTINCT FROM
    (NEW."id", NEW."status", NEW."expires_at", NEW."secret_digest", NEW."secret_expires_at", NEW."metadata")
  THEN
    IF pg_stat_get_xact_tuples_updated(TG_RELID) > 20000 THEN
      PERFORM vestibule_announce_everything();
    ELSE
      INSERT INTO invalidation_event (kind, tags) VALUES ('entities', ARRAY[vestibule_fact('client', OLD."id")]);
    END IF;
  END IF;
  RETURN NULL;
END
$$;

-- Readers miss what is deleted from the log by hand.
CREATE TRIGGER "announce_truncate" AFTER TRUNCATE ON "invalidation_event"
FOR EACH STATEMENT EXECUTE FUNCTION "vestibule_announce_all"();

ALTER TABLE "invalidation_event" ENABLE ALWAYS TRIGGER "announce_truncate";

-- The triggers write with the rights of their owner, so that roles which may only delete rows can still delete them. A role
-- that may create tables could call them with triggers of its own.
DO $$
DECLARE
  name regprocedure;
BEGIN
  FOR name IN
    SELECT oid FROM pg_proc WHERE proname ~ '^vestibule_announce_' AND proname <> 'vestibule_announce_changes'
      AND prorettype = 'trigger'::regtype AND pronamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', name);
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
  FOR name IN
    SELECT oid FROM pg_proc WHERE proname ~ '^vestibule_announce(_|$)' AND pronamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
  END LOOP;
END
$$;
