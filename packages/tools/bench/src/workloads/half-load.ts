import { closedLoad } from '../load/closed-load.js';
import { cycle, type RequestSource } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { warmUp } from '../measure/send-load.js';
import { INTROSPECTION_PATH, introspectionService } from '../targets/introspection-service.js';
import { type RegistrationOperation, registrationService } from '../targets/registration-service.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { RegistrationFixture } from '../test-environment/registration-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload, Target } from './workload.js';

const CONNECTIONS = 32;
/** One process cannot send more than twice this rate at an even pace. */
const MAX_REQUESTS_PER_SECOND = 10_000;

/** The duration of requests at half of a server's capacity (open loop). */
export function halfLoadWorkloads(
  testEnvironment: TestEnvironment,
  introspection: IntrospectionFixture,
  registration: RegistrationFixture,
): readonly FigureWorkload[] {
  return [
    {
      kind: 'figures',
      id: 'introspection-half-load',
      title: 'introspection of 10,000 distinct live tokens at half load',
      measure: async () => {
        const installation = await introspection.installation();
        const { client_id: clientId, client_secret: clientSecret } = await introspection.resourceServer();
        const caller = { path: INTROSPECTION_PATH, clientId, clientSecret };
        const tokens = await introspection.identifierTokens(10_000);
        const service = introspectionService(testEnvironment, installation, {
          caller,
          tokens,
          tokenReads: 'cached',
        });
        return atHalfLoad(testEnvironment, service, 5);
      },
    },
    ...(['POST', 'PUT'] as const).map(
      (operation: RegistrationOperation): FigureWorkload => ({
        kind: 'figures',
        id: `registration-${operation.toLowerCase()}-half-load`,
        title: `registration, ${operation} at half load`,
        measure: () => atHalfLoad(testEnvironment, registrationService(registration, operation), 30),
      }),
    ),
  ];
}

async function atHalfLoad(
  testEnvironment: TestEnvironment,
  target: Target,
  p99AtMostMs: number,
): Promise<readonly Figure[]> {
  const p50: number[] = [];
  const p99: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < testEnvironment.effort.rounds; round += 1) {
    const opened = await target.open();
    const { port, traffic, close } = opened;
    try {
      await warmUp(testEnvironment, opened, CONNECTIONS);
      const source: RequestSource = traffic.kind === 'dialogue' ? traffic.source : cycle(traffic.load);
      const full = {
        port,
        source,
        connections: CONNECTIONS,
        until: { seconds: testEnvironment.effort.warmSeconds },
      };
      const { requests, seconds } = await closedLoad(full);
      const requestsPerSecond = Math.min(requests / seconds, MAX_REQUESTS_PER_SECOND) / 2;
      const paced = { port, source, connections: CONNECTIONS, requestsPerSecond };
      const result = await pacedLoad({ ...paced, seconds: testEnvironment.effort.seconds });
      if (result.failures > 0) throw new Error(`${result.failures} requests failed at half load`);
      rates.push(result.requests / result.seconds);
      p50.push(result.p50Ms);
      p99.push(result.p99Ms);
    } finally {
      await close();
    }
  }
  return [
    { name: 'rate', values: rates, unit: 'req/s' },
    { name: 'p50', values: p50, unit: 'ms' },
    { name: 'p99', values: p99, unit: 'ms', atMost: p99AtMostMs },
  ];
}
