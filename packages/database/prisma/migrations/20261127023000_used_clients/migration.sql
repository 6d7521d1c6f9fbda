-- An index whose condition names a column is written with every change of that column, and then all other indexes of the row
-- are too. The time of the last use changes often; whether there was one changes once.

-- Whether the client was used. False also for a client whose last use was recorded by an earlier version: indexes may contain
-- used clients, and statements compare `last_used_at`.
ALTER TABLE "client" ADD COLUMN "is_used" BOOLEAN NOT NULL DEFAULT false;

-- Room for the next version of a row on its page, so that the indexes need no new entry.
ALTER TABLE "client" SET (fillfactor = 80);
