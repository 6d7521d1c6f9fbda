-- When a data key became the one to write under: from then on it takes a while until no process writes under the one
-- before. Absent of keys that have never been active, and of those that became it before this column was there.
ALTER TABLE "data_key" ADD COLUMN     "activated_at" TIMESTAMPTZ(3);
