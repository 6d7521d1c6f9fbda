import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createTestDatabase, readmeTable, type TestDatabase, tableCells } from '@vestibule/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_GROUPS } from '../src/commands/command-groups.js';
import { commandReference } from '../src/frame/command-reference.js';
import { describeCommands } from '../src/frame/describe-commands.js';
import { createTerminal } from '../src/frame/terminal.js';
import { vestibule } from './support/vestibule.js';

let database: TestDatabase;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  database = await createTestDatabase();
  environment = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
    BASE_URL: 'https://op.example',
  };
});
afterAll(() => database.drop());

it('tells every problem of the settings at once and never shows a secret', async () => {
  const { stdout, code } = await vestibule(['config', 'check', 'logout', '--json'], {
    environment: { ...environment, BASE_URL: 'nothing', PORT: 'x' },
  });
  const [report] = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(report.problems.map(({ name }: { name: string }) => name)).toEqual(['BASE_URL', 'PORT']);
  expect(stdout).not.toContain(environment.ENCRYPTION_KEYS);
  expect(stdout).not.toContain(database.url);
});

it('completes groups, commands and choices in bash', async () => {
  const { stdout: script } = await vestibule(['completion', 'bash']);
  const typed = [
    ['key'],
    ['keys', 'ac'],
    ['logout', 'deliveries', '--state', ''],
    ['tokens', 'revoke', '--s'],
  ];
  const asked = typed.map(
    (words) =>
      `COMP_WORDS=(vestibule ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _vestibule; echo "\${COMPREPLY[*]}"`,
  );
  const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\n${asked.join('\n')}`]);
  expect(stdout.trimEnd().split('\n')).toEqual(['keys', 'activate', 'pending delivered dead', '--sub --sid']);
});

it('has its commands in the README as they are', async () => {
  const rows = COMMAND_GROUPS.flatMap((group) =>
    group.commands.map(({ name, summary }) => `| \`${group.name} ${name}\` | ${summary} |`),
  );
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const table = ['| command | what it does |', '|---|---|', ...rows].join('\n');
  expect(readmeTable(readme, 'commands')).toEqual(tableCells(table));
});

it('has its reference as the commands are, with an example of each', async () => {
  const nowhere = { write: () => undefined };
  const groups = await describeCommands({
    groups: COMMAND_GROUPS,
    terminal: createTerminal({ stdout: nowhere, stderr: nowhere, isColourful: false }),
    environment: {},
    readInput: async () => '',
    exitWith: () => undefined,
  });
  expect(await readFile(new URL('../COMMANDS.md', import.meta.url), 'utf8')).toBe(commandReference(groups));
  for (const { name, commands } of groups)
    for (const { name: command, examples } of commands)
      expect(examples[0]?.[0]).toMatch(new RegExp(`\\b${name} ${command}\\b`));
});
