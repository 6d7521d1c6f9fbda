export { closeOnSignals } from './close-on-signals.js';
export { type Closers, closers } from './closers.js';
export { createDatabase, type DatabaseCreation, dropDatabase } from './database-administration.js';
export { freePort } from './free-port.js';
export { LocalServiceError } from './local-service-error.js';
export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres-server.js';
export { askRedis } from './redis-connection.js';
export { installRedisServer } from './redis-installation.js';
export { findRedisServer, type RedisOptions, type RedisServer, startRedis } from './redis-server.js';
