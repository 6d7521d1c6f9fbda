import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { cycle, type RequestSource } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { atHighPriority, lowPriorityPrefix } from '../load/priority.js';
import { processMicros } from '../measure/process-usage.js';
import { quotients } from '../measure/statistics.js';
import { type ChildTask, runChildTask } from '../servers/child-task.js';
import { startService } from '../servers/service.js';
import { INTROSPECTION_PATH, introspectionTraffic } from '../targets/introspection-service.js';
import type { ConsoleFixture } from '../test-environment/console-fixture.js';
import type { Installation } from '../test-environment/installation.js';
import { issueIdentifierTokens } from '../test-environment/issued-tokens.js';
import { registerResourceServer } from '../test-environment/registered-client.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const TOKENS = 1_000;
const CONNECTIONS = 32;
const REQUESTS_PER_SECOND = 1_000;
const PAGES_PER_SECOND = 20;
const PAGE_CONNECTIONS = 8;
const AT_MOST = 1.05;
/**
 * A p99 differs more from turn to turn than the target allows, so that the median needs many turns; short ones, which alternate
 * faster than the speed of a virtual machine changes.
 */
const TURNS_PER_ROUND = 12;
const TURNS_PER_DURATION = 3;
/** Other processes begin before a measurement, and go on until it is over. */
const LEAD_SECONDS = 1;
const MICROS_PER_MS = 1_000;
const MICROS_PER_SECOND = 1_000_000;
const PERCENT = 100;

/** The effect on introspection of a console whose pages are opened all the time, over the same large database. */
export function introspectionBesideConsoleWorkload(
  testEnvironment: TestEnvironment,
  fixture: ConsoleFixture,
): FigureWorkload {
  return {
    kind: 'figures',
    id: 'introspection-beside-console',
    title: `introspection at ${REQUESTS_PER_SECOND} requests a second, while every page of the console is opened, ${PAGES_PER_SECOND} a second`,
    measure: async () => {
      const installation = await fixture.installation();
      return figuresOf(await measureServices(testEnvironment, fixture, installation));
    },
  };
}

/**
 * Starts both services, and measures. In production the console and PostgreSQL have machines of their own; here they must not
 * take the core from the load generator.
 */
async function measureServices(
  testEnvironment: TestEnvironment,
  fixture: ConsoleFixture,
  installation: Installation,
): Promise<Turns> {
  const aside = await lowPriorityPrefix();
  const { environment } = installation;
  const { nodeOptions, pinning } = testEnvironment;
  const launch = { name: 'introspection', environment, prefix: pinning.serverPrefix, nodeOptions };
  const introspection = await startService(launch);
  const console = await fixture.start(aside);
  try {
    const places: Places = {
      introspection: { port: introspection.port, load: await introspectionLoad(installation) },
      console: { port: console.port, pid: console.process.pid },
      pages: [...(await fixture.pages()).values()],
      aside,
    };
    return await atHighPriority(() => measure(testEnvironment, places), testEnvironment.log);
  } finally {
    await introspection.process.stop();
    await console.process.stop();
  }
}

/** The p99 of each turn in milliseconds. */
interface Turns {
  readonly aloneMs: number[];
  readonly besideConsoleMs: number[];
  /** Beside a process that uses as much CPU time in the same way, and no store. */
  readonly besideBurnerMs: number[];
  /** CPU time of the console in a second, as a share of a core. */
  readonly consoleCpu: number[];
}

function figuresOf({ aloneMs, besideConsoleMs, besideBurnerMs, consoleCpu }: Turns): readonly Figure[] {
  return [
    { name: 'p99 alone', values: aloneMs, unit: 'ms' },
    { name: 'p99 while pages are opened', values: besideConsoleMs, unit: 'ms' },
    {
      name: 'p99 while pages are opened, ratio',
      values: quotients(besideConsoleMs, aloneMs),
      unit: '×',
      atMost: AT_MOST,
    },
    { name: 'p99 beside a process with the same CPU time', values: besideBurnerMs, unit: 'ms' },
    {
      name: 'p99 beside a process with the same CPU time, ratio',
      values: quotients(besideBurnerMs, aloneMs),
      unit: '×',
    },
    { name: 'CPU time of the console', values: consoleCpu, unit: '%' },
  ];
}

interface Places {
  readonly introspection: { readonly port: number; readonly load: RequestSource };
  readonly console: { readonly port: number; readonly pid: number };
  /** A request for each page. */
  readonly pages: readonly string[];
  /** The command prefix of the processes beside introspection. */
  readonly aside: readonly string[];
}

/** Introspection alone, beside the console, and beside a process with the same CPU time, alternating. */
async function measure(testEnvironment: TestEnvironment, places: Places): Promise<Turns> {
  const { introspection, console, pages, aside } = places;
  const { rounds, warmSeconds } = testEnvironment.effort;
  const seconds = Math.ceil(testEnvironment.effort.seconds / TURNS_PER_DURATION);
  const lasting = LEAD_SECONDS + seconds + LEAD_SECONDS;
  const p99 = async (duration: number) => {
    const paced = { connections: CONNECTIONS, requestsPerSecond: REQUESTS_PER_SECOND };
    const { port, load } = introspection;
    const result = await pacedLoad({ port, source: load, ...paced, seconds: duration });
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    return result.p99Ms;
  };
  const task = (name: ChildTask['name'], configuration: object) =>
    runChildTask({ name, configuration, nodeOptions: [], prefix: aside });
  const openPages = async (duration: number) => {
    const load = { requestsPerSecond: PAGES_PER_SECOND, connections: PAGE_CONNECTIONS, seconds: duration };
    const opened = Value.Parse(
      Opened,
      await task('request-pages', { port: console.port, requests: pages, ...load }),
    );
    if (opened.failures > 0 || opened.count === 0)
      throw new Error(`${opened.failures} of ${opened.count} pages failed`);
    return opened.count;
  };
  const beside = async (other: Promise<unknown>) => {
    // Awaited below; a failure before that must not end this process.
    other.catch(() => undefined);
    await p99(LEAD_SECONDS);
    const value = await p99(seconds);
    await other;
    return value;
  };
  await p99(2 * warmSeconds);
  const cpuOf = async () => (await processMicros(console.pid)) ?? 0;
  await openPages(warmSeconds);
  let burstMs = 0;
  const turns: Turns = { aloneMs: [], besideConsoleMs: [], besideBurnerMs: [], consoleCpu: [] };
  for (let turn = 0; turn < rounds * TURNS_PER_ROUND; turn += 1) {
    turns.aloneMs.push(await p99(seconds));
    const before = await cpuOf();
    let count = 0;
    const opening = openPages(lasting).then((opened) => {
      count = opened;
    });
    turns.besideConsoleMs.push(await beside(opening));
    const used = (await cpuOf()) - before;
    turns.consoleCpu.push((used / (lasting * MICROS_PER_SECOND)) * PERCENT);
    burstMs = used / count / MICROS_PER_MS;
    const burning = task('burn-cpu', { burstMs, burstsPerSecond: PAGES_PER_SECOND, seconds: lasting });
    turns.besideBurnerMs.push(await beside(burning));
  }
  return turns;
}

const Opened = Type.Object({ count: Type.Integer(), failures: Type.Integer() });

async function introspectionLoad(installation: Installation): Promise<RequestSource> {
  const { client_id: clientId, client_secret: clientSecret } = await registerResourceServer(installation);
  const tokens = await issueIdentifierTokens(installation, clientId, TOKENS);
  const caller = { path: INTROSPECTION_PATH, clientId, clientSecret };
  return cycle(introspectionTraffic({ caller, tokens, tokenReads: 'cached' }).load);
}
