import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordDatabase } from '../src/local-address.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';

const ISSUER = 'http://localhost:3000';
const toEnd = closers();
let folder: string;
let stack: Standalone;

beforeAll(async () => {
  const temporary = await temporaryFolder();
  toEnd.add(temporary.remove);
  folder = temporary.path;
  stack = await startStandalone(folder, {
    BASE_URL: ISSUER,
    OPENID_PROVIDER_ENABLED: 'false',
    SESSION_COOKIE_NAME: '_session',
    LOG_LEVEL: 'warn',
  });
  toEnd.add(async () => void (await stack.stop()));
});

afterAll(() => toEnd.closeAll());

it('leaves login and discovery to the server of the team, and serves everything else', async () => {
  const statuses = await Promise.all(
    ['/authorize', '/.well-known/openid-configuration', '/jwks.json', '/clients', '/logout'].map(
      async (path) => (await fetch(stack.baseUrl + path)).status,
    ),
  );
  expect(statuses).toEqual([404, 404, 200, 401, 200]);
});

it('prints where it listens and what that server needs, without secrets', () => {
  const url = readFileSync(join(folder, 'database-url'), 'utf8').trim();
  const keys = readFileSync(join(folder, 'encryption-keys'), 'utf8').trim();
  expect(stack.output()).toContain(
    `Vestibule is ready at ${stack.baseUrl.replace('localhost', '127.0.0.1')}, for the issuer ${ISSUER}\n`,
  );
  expect(stack.output()).toContain(`DATABASE_URL:    $(cat ${folder}/database-url)\n`);
  expect(stack.output()).toContain(`ENCRYPTION_KEYS: $(cat ${folder}/encryption-keys)\n`);
  for (const secret of [keys, stack.masterToken, new URL(url).password])
    expect(stack.output()).not.toContain(secret);
});

it('records the address of the embedded database for this user only', () => {
  const file = join(folder, 'database-url');
  expect(new URL(readFileSync(file, 'utf8').trim()).pathname).toBe('/vestibule');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('deletes that address when a database of the operator is used', async () => {
  const { path, remove } = await temporaryFolder();
  toEnd.add(remove);
  recordDatabase(path, 'postgresql://127.0.0.1/vestibule');
  recordDatabase(path, undefined);
  expect(() => statSync(join(path, 'database-url'))).toThrow('ENOENT');
});
