export type { RedisUse } from './redis-metrics.js';
export type { RedisSettings } from './redis-settings.js';
export { openServiceRedis, type ServiceRedis, type ServiceRedisOptions } from './service-redis.js';
