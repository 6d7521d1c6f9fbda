import { expect, it } from 'vitest';
import { chooseTrials, parseCommandLine } from './command-line.js';

const TRIALS = [{ id: 'one' }, { id: 'two' }, { id: 'three' }];

it("reads names one by one and separated by commas, also after a package manager's separator", () => {
  expect(parseCommandLine(['--', '--only', 'one,two', '--only', 'three', '--quick'])).toEqual({
    only: ['one', 'two', 'three'],
    quick: true,
    list: false,
    help: false,
  });
  for (const args of [['one'], ['--only'], ['--slow']])
    expect(() => parseCommandLine(args)).toThrow(expect.objectContaining({ name: 'CommandLineError' }));
});

it('chooses all trials when no names are given, and named trials in the order of the list', () => {
  expect(chooseTrials(TRIALS, [])).toEqual(TRIALS);
  expect(chooseTrials(TRIALS, ['three', 'one'])).toEqual([{ id: 'one' }, { id: 'three' }]);
  expect(() => chooseTrials(TRIALS, ['four'])).toThrow(
    'Unknown trial four. Available trials: one, two, three',
  );
});
