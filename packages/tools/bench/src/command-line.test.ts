import { expect, it } from 'vitest';
import { CommandLineError, chooseWorkloads, parseCommandLine } from './command-line.js';

const all = [{ id: 'a' }, { id: 'slow', onlyByName: true }, { id: 'b' }];

it('reads names and switches in any order', () => {
  expect(parseCommandLine(['--', 'b', '--quick', 'a', '--servers', 'others.json', '--hold', '600'])).toEqual({
    workloads: ['b', 'a'],
    quick: true,
    resume: false,
    profile: false,
    servers: 'others.json',
    holdSeconds: 600,
    help: false,
  });
});

it('rejects unknown arguments', () => {
  for (const args of [['--fast'], ['--servers'], ['--quick=1'], ['--hold', '1m'], ['--hold', '0']])
    expect(() => parseCommandLine(args)).toThrow(CommandLineError);
  expect(() => chooseWorkloads(all, ['a', 'c'])).toThrow(/Unknown workload c\./);
});

it('runs every workload except slow ones, or exactly the named ones, in the order of the list', () => {
  expect(chooseWorkloads(all, []).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(chooseWorkloads(all, ['b', 'slow']).map(({ id }) => id)).toEqual(['slow', 'b']);
});
