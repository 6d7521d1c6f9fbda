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
export type { OpenRevocationFeed, RevocationFeedOptions } from './feed/revocation-feed.js';
export type { InitialTokenUse, ListedInitialToken, ListedInitialTokens } from './listed-initial-tokens.js';
export type { LogoutAnnouncementsOptions, OpenLogoutAnnouncements } from './logout/logout-announcements.js';
export { type MigrationStatus, migrate, migrationStatus } from './migrations/migrate.js';
export { SchemaTooOldError } from './migrations/required-schema.js';
export { type Database, openDatabase } from './open-database.js';
export { openStore, type Store, StoreNotOpenError, type StoreOptions } from './open-store.js';
export { STANDBY_STATES, type StandbyState, type Standbys } from './replication/server-state.js';
export type { ServerChange } from './replication/server-watch.js';
export type { ResealKeys, ResealReport, ResealRound } from './reseal/reseal.js';
export { type Rounds, type RunningRounds, startRounds } from './rounds.js';
export { systemTime } from './system-time.js';
