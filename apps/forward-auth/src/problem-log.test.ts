import { memoryLog } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { problemLog } from './problem-log.js';

it('logs one problem of each reason in ten seconds, with the number of those since the last line', () => {
  const { logger, lines } = memoryLog();
  let nowMs = 0;
  const log = problemLog(logger, () => nowMs);
  const connection = { reason: 'connection', message: 'the endpoint cannot be reached' };
  for (; nowMs < 10_000; nowMs += 1_000) log(connection);
  log({ reason: 'gateway', message: 'a header is missing' });
  log(connection);
  const detail = connection.message;
  expect(lines().map(({ level, reason, detail: text, count }) => [level, reason, text, count])).toEqual([
    ['warn', 'connection', detail, 1],
    ['warn', 'gateway', 'a header is missing', 1],
    ['warn', 'connection', detail, 10],
  ]);
});
