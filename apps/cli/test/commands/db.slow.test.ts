import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabase } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { everyCommandWasRun, type OperatedStack, openStack } from '../support/operated-stack.js';
import { vestibule, vestibuleProcess } from '../support/vestibule.js';

let stack: OperatedStack;

beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.stop());

/** The settings for an empty database, which is dropped after the test. */
async function anEmptyInstallation() {
  const { postgresUrl } = inject('services');
  const name = `cli_empty_${randomBytes(6).toString('hex')}`;
  await createDatabase({ url: postgresUrl, name });
  onTestFinished(() => dropDatabase(postgresUrl, name));
  return { DATABASE_URL: Object.assign(new URL(postgresUrl), { pathname: name }).href };
}

it('db migrate and status: migrate an empty database to the schema of this version', async () => {
  const environment = await anEmptyInstallation();
  const before = await vestibule(['db', 'status', '--json'], { environment });
  expect(before.code).toBe(1);
  const { pending } = JSON.parse(before.stdout);
  expect(pending).not.toEqual([]);
  expect(await vestibuleProcess(['db', 'migrate'], { environment })).toEqual({
    code: 0,
    stdout: pending.map((each: string) => `Applied ${each}\n`).join(''),
    stderr: '',
  });
  expect(await vestibule(['db', 'status', '--json'], { environment })).toMatchObject({ code: 0 });
});

it('keys rewrap: refers to db status if the database lacks migrations of this version', async () => {
  const environment = {
    ...(await anEmptyInstallation()),
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
  };
  expect(await vestibule(['keys', 'rewrap'], { environment })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'vestibule: The database does not have the schema of this version: see vestibule db status.\n',
  });
});

it('db migrate and status: the database of a running stack has the schema of this version', async () => {
  const CURRENT = 'The database has the schema of this version.\n';
  expect(await stack.text(['db', 'migrate'])).toBe(
    'Nothing to apply: the database has the schema of this version.\n',
  );
  expect(await stack.json(['db', 'migrate'])).toEqual({ applied: [] });
  expect(await stack.text(['db', 'status'])).toBe(CURRENT);
  expect(await stack.json(['db', 'status'])).toEqual({
    current: true,
    pending: [],
    failed: [],
    edited: [],
    unknown: [],
  });
  await stack.refused(2, ['db', 'migrate', 'everything']);
  await stack.refused(2, ['db', 'status', '--colour']);
});

it('db status: states in one sentence what is wrong with the database or its setting, but never its URL', async () => {
  const password = 'correct-horse-battery';
  const cases = [
    [
      `postgres://user:${password}@127.0.0.1:1/vestibule`,
      1,
      /^vestibule: The database cannot be reached: .*\n$/,
    ],
    [`mysql://user:${password}@127.0.0.1/vestibule`, 2, /DATABASE_URL: must be a postgres:\/\/ URL/],
  ] as const;
  for (const [DATABASE_URL, code, stderr] of cases) {
    const outcome = await vestibule(['db', 'status'], { environment: { DATABASE_URL } });
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(stderr) });
    expect(outcome.stderr).not.toContain(password);
  }
});

everyCommandWasRun('db', () => stack);
