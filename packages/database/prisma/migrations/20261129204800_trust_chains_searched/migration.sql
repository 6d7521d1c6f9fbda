-- Finds the clients that are registered through an entity, whatever its position in the trust chain is. Rows of earlier
-- versions do not contain the whole chain.
CREATE INDEX CONCURRENTLY "client_chain_entities_idx" ON "client" USING gin
((string_to_array("chain_entities", ' ') || ARRAY["entity_id", "superior", "trust_anchor"]) COLLATE "C") WHERE "entity_id" IS NOT NULL;
