import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createTestDatabase, readmeTable, type TestDatabase, tableCells } from '@vestibule/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_GROUPS } from '../src/commands/command-groups.js';
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

async function json(...args: readonly string[]) {
  const { code, stdout, stderr } = await vestibule([...args, '--json'], { environment });
  return { code, stderr, value: JSON.parse(stdout) };
}

it('rotates keys step by step, refuses what is too early, and records each step as the operator’s', async () => {
  const made = await json('keys', 'generate', 'provider', '--algorithm', 'ES256', '--actor', 'jane');
  expect(made).toMatchObject({ code: 0, value: { ring: 'provider', algorithm: 'ES256', state: 'pending' } });
  const early = await vestibule(['keys', 'activate', made.value.id], { environment });
  expect(early).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/too new/) });
  expect(await json('keys', 'activate', made.value.id, '--at-once')).toMatchObject({ code: 0 });
  const listed = await json('keys', 'list', '--ring', 'provider');
  expect(listed.value).toEqual([expect.objectContaining({ id: made.value.id, state: 'active' })]);
  expect(await vestibule(['keys', 'retire', made.value.id], { environment })).toMatchObject({ code: 4 });
  expect(await vestibule(['keys', 'retire', 'none'], { environment })).toMatchObject({ code: 3 });
  const events = await json('audit', 'export', '--target', `signing_key:${made.value.id}`);
  expect(events.value).toMatchObject([
    { actor: 'operator:jane', action: 'signing_key.added' },
    { actor: 'operator:cli', action: 'signing_key.changed', details: { state: 'active' } },
  ]);
});

it('seals anew, and says what there was to do', async () => {
  expect((await json('keys', 'rewrap')).value).toEqual({
    dry_run: false,
    data_keys_wrapped: 0,
    resealed: 0,
    left: 0,
    unreadable: 0,
  });
});

it('inspects and revokes tokens without printing them', async () => {
  const token = 'a'.repeat(43);
  const inspected = await vestibule(['tokens', 'inspect', '--json'], { environment, input: `${token}\n` });
  expect(inspected).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(inspected.stdout)).toEqual({ active: false, reason: 'unknown' });
  const revoked = await vestibule(['tokens', 'revoke'], { environment, input: token });
  expect(revoked).toEqual({ code: 0, stdout: 'Revoked.\n', stderr: '' });
  expect(await vestibule(['tokens', 'revoke', token, '--sub', 'x'], { environment })).toMatchObject({
    code: 2,
  });
});

it('lists notifications, and tells of one that does not exist by the exit code', async () => {
  expect(await json('logout', 'deliveries')).toMatchObject({ code: 0, value: [] });
  expect(await json('logout', 'redeliver', 'none')).toMatchObject({
    code: 3,
    value: [{ id: 'none', outcome: 'unknown' }],
  });
  expect(await json('logout', 'redeliver', '17')).toMatchObject({ code: 3 });
});

it('verifies the chain of audit events and refuses an end that it does not have', async () => {
  expect(await json('audit', 'verify')).toMatchObject({ code: 0, value: { intact: true } });
  expect(await json('audit', 'verify', '--head', `9:${'0'.repeat(64)}`)).toMatchObject({
    code: 1,
    value: { intact: false, reason: 'missing' },
  });
});

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

it('finds nothing to migrate in a database of this version', async () => {
  expect(await json('db', 'migrate')).toMatchObject({ code: 0, value: { applied: [] } });
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
