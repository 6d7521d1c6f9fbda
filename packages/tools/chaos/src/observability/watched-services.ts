import { createHash, randomBytes } from 'node:crypto';
import type { Closers } from '@vestibule/local-services';
import { type ChaosProxy, chaosProxy } from '../network/chaos-proxy.js';
import { redisUrl } from '../processes/redis.js';
import { type ServiceUnderFault, startService } from '../processes/service.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** The services under observation. */
export const WATCHED = ['authorization', 'federation', 'introspection', 'logout', 'registration'] as const;

/** The processes of every service, with one network to PostgreSQL, and what is needed to call them. */
export interface WatchedServices extends Record<(typeof WATCHED)[number], ServiceUnderFault> {
  readonly postgres: ChaosProxy;
  readonly masterToken: string;
}

/** Settings that make faults show quickly and with little load. */
const OWN_SETTINGS: Partial<Record<(typeof WATCHED)[number], Readonly<Record<string, string>>>> = {
  introspection: { RATE_LIMITS_ENABLED: 'true', INTROSPECTION_INACTIVE_PER_MINUTE: '300' },
  registration: { RATE_LIMITS_ENABLED: 'true', DATABASE_POOL_SIZE: '2' },
  logout: { LOGOUT_DELIVERY_TIMEOUT_MS: '500', LOGOUT_DELIVERY_POLL_MS: '200' },
};

/** Starts every service in one test environment. @param environment settings of all of them */
export async function startWatchedServices(
  { postgres: server, redis, installation }: TestEnvironment,
  environment: Readonly<Record<string, string>>,
  toEnd: Closers,
): Promise<WatchedServices> {
  const postgres = await chaosProxy(server.port);
  toEnd.add(postgres.close);
  const database = new URL(server.url(installation.database));
  database.port = String(postgres.port);
  const masterToken = randomBytes(32).toString('hex');
  const start = async (name: (typeof WATCHED)[number]) => {
    const service = await startService({
      name,
      environment: {
        ...installation.environment,
        DATABASE_URL: database.href,
        REDIS_URL: redisUrl(redis.port),
        MASTER_TOKEN_SHA256: createHash('sha256').update(masterToken).digest('hex'),
        ...environment,
        ...OWN_SETTINGS[name],
      },
    });
    toEnd.add(service.stop);
    return service;
  };
  const [authorization, federation, introspection, logout, registration] = await Promise.all([
    start('authorization'),
    start('federation'),
    start('introspection'),
    start('logout'),
    start('registration'),
  ]);
  return { authorization, federation, introspection, logout, registration, postgres, masterToken };
}
