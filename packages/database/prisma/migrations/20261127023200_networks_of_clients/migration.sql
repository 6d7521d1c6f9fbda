-- Counts the unused open registrations of a network. The first use of a client removes its network.
CREATE INDEX CONCURRENTLY "client_network_idx" ON "client" ("network_digest") WHERE "network_digest" IS NOT NULL;
