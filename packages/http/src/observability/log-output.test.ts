import { execFileSync } from 'node:child_process';
import { closeSync, constants, createReadStream, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { flushLog, logOutput } from './log-output.js';
import { createLogger } from './logger.js';

const folder = mkdtempSync(join(tmpdir(), 'vestibule-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LINES = 3_000;
const PATIENCE_MS = 10_000;
/** Greater than that of any open file. */
const NO_DESCRIPTOR = 2_147_483_647;

function startLogging(descriptor: number) {
  const lost: number[] = [];
  const destination = logOutput({ descriptor, onLoss: (count) => lost.push(count) });
  const logger = createLogger({ level: 'info', service: 'test', destination });
  // Together they exceed the buffer limit.
  for (let count = 0; count < LINES; count += 1) logger.info({ count, detail: 'a'.repeat(500) }, 'x');
  return { logger, lost };
}

it('writes every line once and in order', async () => {
  const file = join(folder, 'file');
  const descriptor = openSync(file, 'w');
  const destination = logOutput({ descriptor, onLoss: () => undefined });
  const logger = createLogger({ level: 'info', service: 'test', destination });
  for (let count = 0; count < 1_000; count += 1) logger.info({ count }, 'x');
  expect(await flushLog(logger, PATIENCE_MS)).toBe(true);
  // Lines logged while the previous batch was being written are flushed at the end, as at process exit.
  logger.fatal('end');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const written = lines.map((line) => JSON.parse(line).count);
  expect(written).toEqual([...Array(1_000).keys(), undefined]);
});

it('does not count a stall of this process as one of the device', async () => {
  const descriptor = openSync(join(folder, 'stall'), 'w');
  const destination = logOutput({ descriptor, onLoss: () => undefined });
  const logger = createLogger({ level: 'info', service: 'test', destination });
  logger.info('x');
  const flushed = flushLog(logger, 100);
  const busyUntil = performance.now() + 300;
  while (performance.now() < busyUntil) JSON.parse('{}');
  expect(await flushed).toBe(true);
});

it('drops lines instead of waiting for a stalled device, and reports how many', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const descriptor = openSync(pipe, constants.O_RDWR);
  const { logger, lost } = startLogging(descriptor);
  expect(await flushLog(logger, 1)).toBe(false);
  const reader = createReadStream(pipe, { encoding: 'utf8' });
  let written = 0;
  for await (const text of reader.iterator({ destroyOnReturn: false })) {
    written += text.split('\n').length - 1;
    if (lost.length > 0 && written + lost.reduce((sum, count) => sum + count) >= LINES) break;
  }
  expect(lost).toHaveLength(1);
  expect(written + (lost[0] ?? 0)).toBe(LINES);
  closeSync(descriptor);
  reader.destroy();
});

it('continues without an output device', async () => {
  // Not one that was closed: its number would be given to the next file or socket, which would get the lines.
  const { logger } = startLogging(NO_DESCRIPTOR);
  expect(await flushLog(logger, PATIENCE_MS)).toBe(true);
});
