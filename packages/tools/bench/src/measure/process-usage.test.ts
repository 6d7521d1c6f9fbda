import { expect, it } from 'vitest';
import {
  parseCoreBusyMicros,
  parseProcessMicros,
  parseResidentBytes,
  processMicros,
  residentBytes,
} from './process-usage.js';

const stat = (name: string) =>
  `4242 (${name}) S 1 4242 4242 0 -1 4194560 100 0 0 0 150 50 7 9 20 0 11 0 5000 1000000 2000 18446744073709551615`;

it('adds user and kernel time of the process, whatever its name holds', () => {
  for (const name of ['node', 'a b', 'x) R 1 2', '((']) {
    expect(parseProcessMicros(stat(name))).toBe(2_000_000);
  }
});

it('rejects text that is not a stat line', () => {
  for (const text of ['', '4242', '4242 (node) S 1', 'not a stat at all'])
    expect(() => parseProcessMicros(text)).toThrow(TypeError);
});

it('reads resident memory in bytes', () => {
  expect(parseResidentBytes('VmPeak:\t 9 kB\nVmRSS:\t  2048 kB\nVmData:\t 1 kB\n')).toBe(2_097_152);
  expect(() => parseResidentBytes('Name:\tkthreadd\n')).toThrow(TypeError);
});

it('counts every kind of work of a core as busy, and waiting as idle', () => {
  const text =
    'cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 4 1000 1000 8 16 32 500 500\ncpu1 0 0 0 7 0 0 0 0 0 0\nintr 1\n';
  expect(parseCoreBusyMicros(text, 0)).toBe(630_000);
  expect(parseCoreBusyMicros(text, 1)).toBe(0);
  expect(parseCoreBusyMicros(text, 2)).toBeUndefined();
});

it('reports nothing about a process that has exited', async () => {
  const unusedPid = 2 ** 22 + 1;
  expect(await processMicros(unusedPid)).toBeUndefined();
  expect(await residentBytes(unusedPid)).toBeUndefined();
});
