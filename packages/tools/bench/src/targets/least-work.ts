import { startChildServer } from '../servers/child-server.js';
import type { Installation } from '../test-environment/installation.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Target } from '../workloads/workload.js';
import { type ConstantOptions, constantTraffic } from './bare-servers.js';

/** Indispensable work of a kind of response, done for every request. */
export type LeastWork = 'GET' | 'SELECT' | 'ES256 signature' | 'RS256 signature' | 'ES256 verification';

/** The default pool size of a service. */
const POOL_SIZE = 10;
/** About the size of a token's entry in Redis. */
const ENTRY_BYTES = 400;

/** The name of the bare Fastify route that does some work before it responds. */
export function leastWorkName(work: LeastWork): string {
  return `limit with one ${work}`;
}

/** The requests and the response of such a route. */
export interface LeastWorkOptions extends ConstantOptions {
  readonly work: LeastWork;
  readonly installation: Installation;
}

/**
 * A bare Fastify route that does that work for each request and responds with a constant: the least work of a service
 * without an in-process cache.
 */
export function leastWorkServer(testEnvironment: TestEnvironment, options: LeastWorkOptions): Target {
  const { work, installation, response, requests } = options;
  return {
    name: leastWorkName(work),
    open: async () => {
      const configuration = { ...response, work: configurationOf(work, installation) };
      const { process, port } = await startChildServer(
        'bare-work',
        configuration,
        testEnvironment.pinning.serverPrefix,
      );
      return {
        port,
        pid: process.pid,
        traffic: constantTraffic({ response, requests }),
        close: process.stop,
      };
    },
  };
}

function configurationOf(work: LeastWork, { databaseUrl, environment }: Installation): object {
  switch (work) {
    case 'GET':
      return { kind: 'redis-get', url: environment['REDIS_URL'], bytes: ENTRY_BYTES };
    case 'SELECT':
      return { kind: 'row-by-digest', databaseUrl, poolSize: POOL_SIZE };
    case 'ES256 signature':
      return { kind: 'sign', algorithm: 'ES256' };
    case 'RS256 signature':
      return { kind: 'sign', algorithm: 'RS256' };
    case 'ES256 verification':
      return { kind: 'verify', algorithm: 'ES256' };
  }
}
