import { memoryLog } from '@vestibule/http/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lastingFault } from './lasting-fault.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('logs a fault once when it begins and once when it is over, with the number of failures', () => {
  const { lines, logger } = memoryLog();
  const fault = lastingFault({
    logger,
    dependency: 'stream',
    sentence: 'the invalidation stream is interrupted',
  });
  for (let attempt = 0; attempt < 40; attempt += 1) {
    fault(new Error('refused'));
    vi.advanceTimersByTime(4_000);
  }
  expect(lines().map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'the invalidation stream is interrupted'],
  ]);
  vi.advanceTimersByTime(1_000);
  fault(new Error('refused'));
  expect(lines().slice(1)).toMatchObject([
    {
      level: 'info',
      dependency: 'stream',
      count: 40,
      msg: 'recovered: the invalidation stream is interrupted',
    },
    { level: 'warn', dependency: 'stream', msg: 'the invalidation stream is interrupted' },
  ]);
});
