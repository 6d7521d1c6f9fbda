export type { Author } from './audit/author.js';
export type { ChainedEvents, ChainHead, Chaining } from './audit/chain-events.js';
export { type ChainSchedule, startChaining } from './audit/chain-schedule.js';
export type { AuditRecord, AuditSelection } from './audit/read-events.js';
export type { ChainRange, ChainVerdict } from './audit/verify-chain.js';
export type { CleanUp, CleanUpCounts, CleanUpTable } from './clean-up.js';
export { type CleanUpSchedule, startCleanUp } from './clean-up-schedule.js';
export { type ClientUsesOptions, type RunningClientUses, startClientUses } from './client-uses.js';
export type { ConnectionOptions } from './connection-pool.js';
export type { DatabaseConnections, DatabaseCounters, StatementFailure } from './database-counters.js';
export { type DatabaseFault, databaseFault } from './database-errors.js';
export type {
  DeniedEntityEntry,
  FederationControls,
  FederationRecords,
  HistoricalKey,
} from './federation-records.js';
export type { InitialTokenUse, ListedInitialToken, ListedInitialTokens } from './listed-initial-tokens.js';
export type { LogoutNoticesOptions, OpenLogoutNotices } from './logout/logout-notices.js';
export { type JobSchedule, type MaintenanceJob, startMaintenanceJob } from './maintenance-job.js';
export { type MigrationStatus, migrate, migrationStatus } from './migrations/migrate.js';
export { SchemaTooOldError } from './migrations/required-schema.js';
export { type Database, openDatabase } from './open-database.js';
export { openStore, type Store, StoreNotOpenError, type StoreOptions } from './open-store.js';
export type { ReencryptKeys, ReencryptReport, ReencryptRound } from './reencrypt/reencrypt.js';
export { STANDBY_STATES, type StandbyState, type Standbys } from './replication/server-state.js';
export type { ServerChange } from './replication/server-watch.js';
export type { InvalidationStreamOptions, OpenInvalidationStream } from './stream/invalidation-stream.js';
export { systemTime } from './system-time.js';
