export type { CleanUp, CleanUpCounts, CleanUpTable } from './clean-up.js';
export { type CleanUpSchedule, type RunningCleanUp, startCleanUp } from './clean-up-schedule.js';
export type { ConnectionOptions } from './connection-pool.js';
export type { OpenRevocationFeed, RevocationFeedOptions } from './feed/revocation-feed.js';
export { type MigrationStatus, migrate, migrationStatus } from './migrations/migrate.js';
export { type Database, openDatabase } from './open-database.js';
export { openStore, type Store, StoreNotOpenError, type StoreOptions } from './open-store.js';
