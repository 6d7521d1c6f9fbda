-- An event is found by the primary key, which its public identifier contains.
DROP INDEX CONCURRENTLY "change_event_id_key";
