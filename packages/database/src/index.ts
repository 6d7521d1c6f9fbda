export type { ChainHead } from './audit/chain-events.js';
export { startChaining } from './audit/chain-schedule.js';
export type { AuditRecord } from './audit/read-events.js';
export { startCleanUp } from './clean-up-schedule.js';
export type { ClientHoldings } from './client-holdings.js';
export { databaseFault, isStatementTimeout } from './database-errors.js';
export type { ExclusiveRun } from './exclusive-run.js';
export type { DeniedEntityEntry, FederationMember, FederationRecords } from './federation-records.js';
export type {
  InitialTokenUse,
  ListedInitialToken,
  ListedInitialTokens,
  ListedTokenPosition,
  ListedTokenState,
} from './listed-initial-tokens.js';
export type { ListedSession, ListedSessions, SessionMember } from './logout/listed-sessions.js';
export { type MaintenanceJob, startMaintenanceJob } from './maintenance-job.js';
export { migrate, migrationStatus } from './migrations/migrate.js';
export { SchemaTooOldError } from './migrations/required-schema.js';
export { type Database, openDatabase } from './open-database.js';
export { openStore, type Store, StoreNotOpenError, type StoreOptions } from './open-store.js';
export { STANDBY_STATES } from './replication/server-state.js';
export type { ServerChange } from './replication/server-watch.js';
export type { OpenInvalidationStream } from './stream/invalidation-stream.js';
export { systemTime } from './system-time.js';
