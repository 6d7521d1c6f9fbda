import { expect, it } from 'vitest';
import { parseCommandLine } from './command-line.js';

it('names programs, and a checkout to compare with', () => {
  expect(parseCommandLine(['--', 'authlib', '--checkout', '/tmp/before', 'jose'])).toEqual({
    names: ['authlib', 'jose'],
    checkout: '/tmp/before',
    ci: false,
    list: false,
    help: false,
  });
});

it('rejects unknown arguments', () => {
  expect(() => parseCommandLine(['--fast'])).toThrow(/--fast/);
});
