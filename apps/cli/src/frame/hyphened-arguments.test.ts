import { Command } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { hyphenedLast } from './hyphened-arguments.js';

it('treats words that begin with one hyphen as arguments, unless they are option values', () => {
  const seen: unknown[] = [];
  const command = new Command()
    .argument('<id...>')
    .option('--label <text>')
    .option('--yes')
    .exitOverride()
    .action((ids, options) => {
      seen.push([ids, options]);
    });
  const typed = ['-kwtgCSj', '--label', '-dash', 'plain', '--yes', '-h_x'];
  command.parse(hyphenedLast(typed, command), { from: 'user' });
  expect(seen).toEqual([[['plain', '-kwtgCSj', '-h_x'], { label: '-dash', yes: true }]]);
  expect(hyphenedLast(['a', '--', '-b'], command)).toEqual(['a', '--', '-b']);
});
