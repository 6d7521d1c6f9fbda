import { requestOnce } from '../load/connection.js';
import { cycle } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { residentBytes } from '../measure/process-usage.js';
import { type ConsoleFixture, EVENTS_PER_CLIENT } from '../test-environment/console-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const REQUESTS_PER_SECOND = 20;
const CONNECTIONS = 8;
const P99_AT_MOST_MS = 150;
const BYTES_PER_KB = 1_000;
const BYTES_PER_MB = 1_048_576;
/** A page; the style sheet and the script come beside the first one. */
const PAGE_AT_MOST_KB = 30;
const FIRST_AT_MOST_KB = 100;

/** The duration and size of the pages of the console over large tables. */
export function consolePagesWorkload(
  testEnvironment: TestEnvironment,
  fixture: ConsoleFixture,
): FigureWorkload {
  const { listedClients: clients, rounds: count } = testEnvironment.effort;
  return {
    kind: 'figures',
    id: 'console-pages',
    title: `pages of the console over ${clients.toLocaleString('en')} clients and ${(clients * EVENTS_PER_CLIENT).toLocaleString('en')} audit events, at ${REQUESTS_PER_SECOND} requests a second`,
    measure: async () => {
      const rounds: Round[] = [];
      for (let round = 0; round < count; round += 1)
        rounds.push(await measureRound(testEnvironment, fixture));
      return figures(rounds);
    },
  };
}

interface Round {
  /** The p99 of each page in milliseconds, and its size in bytes. */
  readonly pages: ReadonlyMap<string, { readonly p99Ms: number; readonly bytes: number }>;
  /** What a browser receives for the largest page if it has nothing yet: page, style sheet and script. */
  readonly firstBytes: number;
  readonly memoryBytes: number;
}

function figures(rounds: readonly Round[]): readonly Figure[] {
  const names = [...(rounds[0]?.pages.keys() ?? [])];
  return [
    ...names.map((name) => ({
      name: `${name}, p99`,
      values: rounds.map(({ pages }) => pages.get(name)?.p99Ms ?? Number.NaN),
      unit: 'ms' as const,
      atMost: P99_AT_MOST_MS,
    })),
    {
      name: 'size of the largest page',
      values: rounds.map(({ pages }) => largest(pages) / BYTES_PER_KB),
      unit: 'KB',
      atMost: PAGE_AT_MOST_KB,
    },
    {
      name: 'the largest page as the first one, with style sheet and script',
      values: rounds.map(({ firstBytes }) => firstBytes / BYTES_PER_KB),
      unit: 'KB',
      atMost: FIRST_AT_MOST_KB,
    },
    {
      name: 'resident memory afterwards',
      values: rounds.map(({ memoryBytes }) => memoryBytes / BYTES_PER_MB),
      unit: 'MB',
    },
  ];
}

function largest(pages: Round['pages']): number {
  return Math.max(...[...pages.values()].map(({ bytes }) => bytes));
}

/** A freshly started console, in which every page was opened once before it is measured. */
async function measureRound({ effort, pinning }: TestEnvironment, fixture: ConsoleFixture): Promise<Round> {
  const requests = await fixture.pages();
  const { process, port } = await fixture.start(pinning.serverPrefix);
  try {
    const load = { port, connections: CONNECTIONS, requestsPerSecond: REQUESTS_PER_SECOND };
    await pacedLoad({ ...load, source: cycle([...requests.values()]), seconds: effort.warmSeconds });
    const pages = new Map<string, { readonly p99Ms: number; readonly bytes: number }>();
    let files: readonly string[] = [];
    for (const [name, request] of requests) {
      const { status, bytes, body } = await requestOnce(port, request);
      if (status !== 200) throw new Error(`the page ${name} returned ${status}`);
      files = filesOf(body);
      const { p99Ms, failures } = await pacedLoad({
        ...load,
        source: cycle([request]),
        seconds: effort.seconds,
      });
      if (failures > 0) throw new Error(`${failures} requests of the page ${name} failed`);
      pages.set(name, { p99Ms, bytes });
    }
    const sizes = await Promise.all(files.map((path) => sizeOf(port, fixture.file(path))));
    const firstBytes = sizes.reduce((sum, bytes) => sum + bytes, largest(pages));
    return { pages, firstBytes, memoryBytes: (await residentBytes(process.pid)) ?? 0 };
  } finally {
    await process.stop();
  }
}

/** The addresses of the style sheet and the script. @throws Error if a page has other files */
function filesOf(page: string): readonly string[] {
  const files = [...page.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js))"/g)].map(([, path = '']) => path);
  if (files.length !== 2) throw new Error(`a page has the files ${files.join(', ')}`);
  return files;
}

async function sizeOf(port: number, request: string): Promise<number> {
  const { status, bytes } = await requestOnce(port, request);
  if (status !== 200) throw new Error(`a file of a page returned ${status}`);
  return bytes;
}
