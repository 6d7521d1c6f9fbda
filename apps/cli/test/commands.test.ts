import { readdir, readFile } from 'node:fs/promises';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { COMMAND_GROUPS } from '../src/commands/command-groups.js';
import { commandPath } from '../src/frame/command-path.js';
import { commandReference } from '../src/frame/command-reference.js';
import { describeCommands } from '../src/frame/describe-commands.js';
import { createTerminal } from '../src/frame/terminal.js';
import { TRIED_TOGETHER } from './support/operated-stack.js';

it('has tests that run every command against a running stack', async () => {
  expect(Object.values(TRIED_TOGETHER).flat().toSorted()).toEqual(
    COMMAND_GROUPS.map(({ name }) => name).toSorted(),
  );
  const files = await readdir(new URL('commands/', import.meta.url));
  expect(files.toSorted()).toEqual(
    Object.keys(TRIED_TOGETHER)
      .map((name) => `${name}.slow.test.ts`)
      .toSorted(),
  );
});

it('lists its commands in the README', async () => {
  const rows = COMMAND_GROUPS.flatMap((group) =>
    group.commands.map((command) => `| \`${commandPath(group, command)}\` | ${command.summary} |`),
  );
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const table = ['| command | what it does |', '|---|---|', ...rows].join('\n');
  expect(readmeTable(readme, 'commands')).toEqual(tableRows(table));
});

it('has an up-to-date reference with an example of each command', async () => {
  const nowhere = { write: () => undefined };
  const groups = await describeCommands({
    groups: COMMAND_GROUPS,
    terminal: createTerminal({ stdout: nowhere, stderr: nowhere, isColorful: false }),
    environment: {},
    readInput: async () => '',
    exitWith: () => undefined,
  });
  expect(await readFile(new URL('../COMMANDS.md', import.meta.url), 'utf8')).toBe(commandReference(groups));
  for (const group of groups)
    for (const command of group.commands)
      expect(command.examples[0]?.[0]).toMatch(new RegExp(`\\b${commandPath(group, command)}\\b`));
});
