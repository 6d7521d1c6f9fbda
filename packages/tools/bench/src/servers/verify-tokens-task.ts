import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { ResourceRequest, ResourceServer } from '@vestibule/resource-server';
import { Type } from 'typebox';
import { percentile } from '../measure/statistics.js';
import { TokenRequirements } from './api-configuration.js';
import { apiResourceServer } from './api-resource-server.js';
import { reportToParent } from './serve-parent.js';

const Configuration = Type.Object({
  requirements: TokenRequirements,
  /** All of one length. */
  tokens: Type.Array(Type.String()),
  /** Duration of each measurement. */
  seconds: Type.Number(),
});

/** Tokens that are cached before the growth of the heap counts: they bring along code and connections. */
const FIRST_SHARE = 0.05;
const PARALLEL_REQUESTS = 32;
/** Requests that are made at a time, outside of the measurement. */
const CALLS = 1_000;
const WARM_CALLS = 200_000;
const TIMED_CALLS = 200_000;
/** More than the stream of changes takes to open. */
const SETTLE_MS = 500;
/** Coprime to the number of tokens, so that each takes its turn. */
const STRIDE = 7_919;
const NANOS_PER_MICRO = 1_000;
/** At most: of two tokens whose digests begin alike, one is cached. */
const INTROSPECTED_SHARE = 0.0002;
const MICROS_PER_SECOND = 1_000_000;

// Measures `verify` for tokens that are cached, without HTTP.
await reportToParent(Configuration, async ({ requirements, tokens, seconds }) => {
  const server = apiResourceServer(requirements);
  const requestOf = requestMaker(tokens);
  const verify = verifier(server, requirements.scope);
  await pause(SETTLE_MS);
  const cacheTokens = async (from: number, to: number) => {
    let next = from;
    const work = async () => {
      while (next < to) {
        const index = next;
        next += 1;
        await verify(requestOf(index));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work));
  };
  const first = Math.floor(tokens.length * FIRST_SHARE);
  await cacheTokens(0, first);
  const before = heapBytes();
  await cacheTokens(first, tokens.length);
  const bytes = (heapBytes() - before) / (1 - FIRST_SHARE);
  const measure = (count: number) =>
    measureCalls({ server, verify, request: (call) => requestOf((call * STRIDE) % count), seconds });
  return { bytes, one: await measure(1), all: await measure(tokens.length) };
});

type Verify = (request: ResourceRequest) => Promise<void>;

function verifier(server: ResourceServer, scope: string): Verify {
  const needed = { scope };
  return async (request) => {
    const { outcome } = await server.verify(request, needed);
    if (outcome !== 'accepted') throw new Error('a live token was refused');
  };
}

/** Makes requests whose header is a new string each time, as an HTTP parser does. */
function requestMaker(tokens: readonly string[]): (index: number) => ResourceRequest {
  const headers = Buffer.from(tokens.map((token) => `Bearer ${token}`).join(''), 'latin1');
  const length = headers.length / tokens.length;
  return (index) => {
    const authorization = headers.toString('latin1', index * length, (index + 1) * length);
    const header = (name: string) => (name === 'authorization' ? authorization : undefined);
    return { method: 'GET', url: '/orders/7', header };
  };
}

interface MeasuredCalls {
  readonly server: ResourceServer;
  readonly verify: Verify;
  readonly request: (call: number) => ResourceRequest;
  readonly seconds: number;
}

/** Calls a second of CPU time, and the duration of a call. */
async function measureCalls({ server, verify, request, seconds }: MeasuredCalls) {
  let calls = 0;
  const chunk = async (measured: (requests: readonly ResourceRequest[]) => Promise<void>) => {
    const requests = Array.from({ length: CALLS }, (_, index) => request(calls + index));
    await measured(requests);
    calls += CALLS;
    // Lets events of the stream of changes in, as other work of an API would.
    await turn();
  };
  const untimed = async (requests: readonly ResourceRequest[]) => {
    for (const each of requests) await verify(each);
  };
  while (calls < WARM_CALLS) await chunk(untimed);
  const hitsBefore = cacheHits(server) - calls;
  let cpuMicros = 0;
  const warmed = calls;
  const untilMs = performance.now() + seconds * 1_000;
  while (performance.now() < untilMs)
    await chunk(async (requests) => {
      const before = process.cpuUsage();
      await untimed(requests);
      const { user, system } = process.cpuUsage(before);
      cpuMicros += user + system;
    });
  const perSecond = (calls - warmed) / (cpuMicros / MICROS_PER_SECOND);
  const micros: number[] = [];
  while (micros.length < TIMED_CALLS)
    await chunk(async (requests) => {
      for (const each of requests) {
        const startedAt = process.hrtime.bigint();
        await verify(each);
        micros.push(Number(process.hrtime.bigint() - startedAt) / NANOS_PER_MICRO);
      }
    });
  const introspected = calls - (cacheHits(server) - hitsBefore);
  if (introspected > calls * INTROSPECTED_SHARE) throw new Error('tokens were not cached');
  return { perSecond, p99Micros: percentile(Float64Array.from(micros).sort(), 0.99) };
}

function cacheHits({ metrics }: ResourceServer): number {
  const metric = metrics.all.find(({ name }) => name === 'resource_server_cache_hits_total');
  return metric?.read()[0]?.value ?? 0;
}

function heapBytes(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
