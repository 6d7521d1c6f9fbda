export { type MigrationStatus, migrate, migrationStatus } from './migrations/migrate.js';
