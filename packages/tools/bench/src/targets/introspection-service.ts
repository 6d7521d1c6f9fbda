import { startService } from '../servers/service.js';
import type { Installation } from '../test-environment/installation.js';
import type { IssuedToken } from '../test-environment/issued-token.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { OURS, type Replay, type Target } from '../workloads/workload.js';
import {
  type IntrospectionCaller,
  introspectionExchange,
  introspectionRequest,
  refusalExchange,
} from './introspection-traffic.js';

/** The requests to the service. */
export interface IntrospectionOptions {
  readonly caller: IntrospectionCaller;
  readonly tokens: readonly IssuedToken[];
  /** Whether the service has seen a token before the load, or sees it for the first time. */
  readonly tokenReads: 'cached' | 'first';
  /** Settings besides those of every service. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The path of the endpoint. */
export const INTROSPECTION_PATH = '/token/introspect';

const SAMPLES = 50;
/** The share of single-use tokens that are introspected before the load. */
const WARM_SHARE = 0.15;

/** The introspection service with empty caches. */
export function introspectionService(
  testEnvironment: TestEnvironment,
  installation: Installation,
  options: IntrospectionOptions,
): Target {
  const traffic = introspectionTraffic(options);
  const environment = { ...installation.environment, ...options.settings };
  return {
    name: OURS,
    open: async () => {
      await testEnvironment.forget();
      const { nodeOptions, pinning } = testEnvironment;
      const launch = { name: 'introspection', environment, prefix: pinning.serverPrefix, nodeOptions };
      const { process, port } = await startService(launch);
      return { port, pid: process.pid, traffic, close: process.stop };
    },
  };
}

/** The requests of a workload on introspection. */
export function introspectionTraffic({ caller, tokens, tokenReads }: IntrospectionOptions): Replay {
  const requests = tokens.map(({ token }) => introspectionRequest(caller, token));
  const contrasts = [refusalExchange(caller)];
  const sampled = (from: number) =>
    tokens.slice(from, from + SAMPLES).map((token) => introspectionExchange(caller, token));
  if (tokenReads === 'cached')
    return { kind: 'replay', load: requests, warmEach: true, samples: sampled(0), contrasts };
  const warmEnd = SAMPLES + Math.floor(tokens.length * WARM_SHARE);
  return {
    kind: 'replay',
    warm: requests.slice(SAMPLES, warmEnd),
    load: requests.slice(warmEnd),
    once: true,
    samples: sampled(0),
    contrasts,
  };
}
