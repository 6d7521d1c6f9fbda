export type { RedisUse } from './redis-metrics.js';
export { checkRedisSettings, REDIS_SETTINGS, type RedisSettings } from './redis-settings.js';
export { openServiceRedis, type ServiceRedis, type ServiceRedisOptions } from './service-redis.js';
