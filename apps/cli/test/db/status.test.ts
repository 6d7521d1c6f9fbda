import { createTestDatabase } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { vestibule, vestibuleProcess } from '../support/vestibule.js';

async function current() {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { DATABASE_URL: url };
}

it('tells people and programs that the schema is the one of this version', async () => {
  const environment = await current();
  const [text, json] = await Promise.all([
    vestibuleProcess(['db', 'status'], { environment }),
    vestibule(['db', 'status', '--json'], { environment }),
  ]);
  expect(text).toEqual({ code: 0, stdout: 'The database has the schema of this version.\n', stderr: '' });
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toEqual({
    current: true,
    pending: [],
    failed: [],
    edited: [],
    unknown: [],
  });
});

it('says in one sentence what is wrong with the database or its setting, and never its address', async () => {
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
