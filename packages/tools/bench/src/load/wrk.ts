import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { LoadResult } from './load-result.js';
import { runCommand } from './run-command.js';

/** Closed-loop load by wrk, which repeats a list of requests. */
export interface WrkLoad {
  readonly program: string;
  /** The folder of the list while wrk runs. */
  readonly folder: string;
  readonly port: number;
  readonly requests: readonly string[];
  readonly connections: number;
  /** Whole seconds. */
  readonly seconds: number;
}

// The file contains the requests one after the other, each after a line with its length.
const SCRIPT = `
local requests, count, sent = {}, 0, 0
function init(args)
  local file = assert(io.open(args[1], "rb"))
  for length in function() return file:read("*l") end do
    count = count + 1
    requests[count] = file:read(tonumber(length))
  end
  file:close()
end
function request()
  sent = sent % count + 1
  return requests[sent]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\\n{"requests":%d,"micros":%d,"bytes":%d,"failures":%d,"p50Micros":%d,"p99Micros":%d}\\n',
    summary.requests, summary.duration, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;

const Summary = Type.Object({
  requests: Type.Integer(),
  micros: Type.Integer(),
  bytes: Type.Integer(),
  failures: Type.Integer(),
  p50Micros: Type.Integer(),
  p99Micros: Type.Integer(),
});

/** A longer response counts as a failure. */
const RESPONSE_TIMEOUT = '10s';
const TIME_TO_LOAD_MS = 60_000;

/** Runs wrk with one thread. @throws Error when it fails */
export async function wrkLoad(load: WrkLoad): Promise<LoadResult> {
  const { program, folder, port, requests, connections, seconds } = load;
  const script = join(folder, 'replay.lua');
  const list = join(folder, 'requests');
  await writeFile(script, SCRIPT);
  await writeFile(list, requests.map((request) => `${request.length}\n${request}`).join(''), 'latin1');
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    RESPONSE_TIMEOUT,
    '-s',
    script,
    `http://127.0.0.1:${port}`,
    '--',
    list,
  ];
  try {
    const { exitCode, output, complaints } = await runCommand(
      program,
      args,
      TIME_TO_LOAD_MS + seconds * 1000,
    );
    if (exitCode !== 0) throw new Error(`wrk failed: ${complaints.trim() || output.trim()}`);
    return parseWrkSummary(output);
  } finally {
    await rm(list, { force: true });
  }
}

/** Parses the summary that the script prints. @throws when it is missing */
export function parseWrkSummary(output: string): LoadResult {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  const { micros, p50Micros, p99Micros, ...counts } = Value.Parse(Summary, JSON.parse(line));
  return { ...counts, seconds: micros / 1e6, p50Ms: p50Micros / 1000, p99Ms: p99Micros / 1000 };
}
