import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation } from './support/installation.js';
import { type RunningStack, startStack } from './support/running-stack.js';
import { vestibule } from './support/vestibule.js';

const LATER_KEY = randomBytes(32).toString('base64url');
const SECRET = 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE';

let installation: Awaited<ReturnType<typeof startInstallation>>;
let stack: RunningStack;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  installation = await startInstallation();
  const { DATABASE_URL, ENCRYPTION_KEYS } = installation.environment;
  stack = await startStack({ DATABASE_URL, ENCRYPTION_KEYS: `${ENCRYPTION_KEYS},${LATER_KEY}` });
  environment = { ...installation.environment, BASE_URL: stack.baseUrl };
}, 30_000);
afterAll(async () => {
  await stack.stop();
  await installation.close();
});

const type = (args: readonly string[], input = '') => vestibule(args, { environment, input });

async function json(args: readonly string[], input = '') {
  const { code, stdout, stderr } = await type([...args, '--json'], input);
  return { code, stderr, value: stdout === '' ? undefined : JSON.parse(stdout) };
}

async function sql(...statements: readonly string[]) {
  const client = new pg.Client(installation.environment.DATABASE_URL);
  await client.connect();
  let rows: pg.QueryResult['rows'] = [];
  for (const statement of statements) rows = (await client.query(statement)).rows;
  await client.end();
  return rows;
}

async function issue(request: object): Promise<string> {
  const answer = await fetch(`${stack.baseUrl}/direct-authz`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.masterToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  return JSON.parse(await answer.text()).access_token;
}

async function introspect(id: string, secret: string, token: string) {
  const answer = await fetch(`${stack.baseUrl}/token/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ token }),
  });
  return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') };
}

const metadata = (id: string) => ({
  client_name: `Of ${id}`,
  grant_types: ['client_credentials'],
  preferred_client_id: id,
  scope: `read ${stack.baseUrl}/token/introspect`,
});

/** A client that the command line makes, and its secret. */
async function create(id: string): Promise<string> {
  const { code, value } = await json(['clients', 'create', '-'], JSON.stringify(metadata(id)));
  expect(code).toBe(0);
  expect(value.registration_client_uri).toBe(`${stack.baseUrl}/clients/${id}`);
  return value.client_secret;
}

it('sees what the stack issues, and what it revokes is dead there at once', async () => {
  const secret = await create('resource');
  // A token that is an identifier is forgotten with its record.
  for (const [format, reason] of [
    ['identifier', 'unknown'],
    ['jwt', 'revoked'],
  ] as const) {
    const token = await issue({ client_id: 'resource', sub: 'alice', scope: 'read', format });
    const live = await json(['tokens', 'inspect'], token);
    expect(live).toMatchObject({ code: 0, value: { active: true, sub: 'alice', client_id: 'resource' } });
    expect((await type(['tokens', 'inspect'], token)).stdout).toMatch(/^active +yes\n/);
    expect(await introspect('resource', secret, token)).toMatchObject({
      status: 200,
      body: { active: true },
    });
    expect(await type(['tokens', 'revoke'], token)).toEqual({ code: 0, stdout: 'Revoked.\n', stderr: '' });
    await expect
      .poll(() => introspect('resource', secret, token), { timeout: 5_000 })
      .toMatchObject({ body: { active: false } });
    const dead = await json(['tokens', 'inspect'], token);
    expect(dead).toMatchObject({ code: 1, value: { active: false, reason } });
    expect(JSON.stringify([live, dead])).not.toContain(token);
  }
});

it('rotates the keys that the stack publishes and signs with, refuses what is too early, and records each step', async () => {
  const secret = await create('verifier');
  // A key that it does not know makes the stack read them again.
  const published = async (): Promise<readonly string[]> => {
    const header = { alg: 'ES256', typ: 'at+jwt', kid: randomBytes(8).toString('hex') };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const payload = { iss: stack.baseUrl, aud: stack.baseUrl, sub: 'x', exp: 9_999_999_999 };
    await introspect('verifier', secret, `${part(header)}.${part(payload)}.${'A'.repeat(86)}`);
    const answer = await fetch(`${stack.baseUrl}/jwks.json`);
    return JSON.parse(await answer.text()).keys.map(({ kid }: { kid: string }) => kid);
  };
  const [before] = (await json(['keys', 'list', '--ring', 'provider'])).value.filter(
    ({ algorithm }: { algorithm: string }) => algorithm === 'ES256',
  );
  const made = await json(['keys', 'generate', 'provider', '--algorithm', 'ES256', '--actor', 'jane']);
  expect(made).toMatchObject({ code: 0, value: { ring: 'provider', algorithm: 'ES256', state: 'pending' } });
  const { id } = made.value;
  await expect.poll(published, { timeout: 10_000, interval: 1_000 }).toContain(id);
  const early = await type(['keys', 'activate', id]);
  expect(early).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/too new/) });
  expect(await json(['keys', 'activate', id, '--at-once'])).toMatchObject({ code: 0 });
  expect(await type(['keys', 'retire', id])).toMatchObject({ code: 4 });
  expect(await type(['keys', 'retire', 'none'])).toMatchObject({ code: 3 });
  expect(await published()).toContain(before.id);
  expect(await type(['keys', 'retire', before.id, '--published-seconds', '0'])).toMatchObject({ code: 0 });
  await expect.poll(published, { timeout: 10_000, interval: 1_000 }).not.toContain(before.id);
  const token = await issue({ client_id: 'verifier', sub: 'bob', scope: 'read', format: 'jwt' });
  expect(await introspect('verifier', secret, token)).toMatchObject({ body: { active: true } });
  const events = await json(['audit', 'export', '--target', `signing_key:${id}`]);
  expect(events.value).toMatchObject([
    { actor: 'operator:jane', action: 'signing_key.added' },
    { actor: 'operator:cli', action: 'signing_key.changed', details: { state: 'active' } },
  ]);
});

it('moves everything under another key-encryption key while the stack works on', async () => {
  const secret = await create('sealed');
  const rotated = { ...environment, ENCRYPTION_KEYS: `${LATER_KEY},${environment['ENCRYPTION_KEYS']}` };
  const rewrap = (...args: readonly string[]) =>
    vestibule(['keys', 'rewrap', '--json', ...args], { environment: rotated });
  expect(JSON.parse((await rewrap('--dry-run')).stdout)).toMatchObject({ data_keys_due: 2 });
  expect(JSON.parse((await rewrap()).stdout)).toEqual({
    dry_run: false,
    data_keys_wrapped: 2,
    resealed: 0,
    left: 0,
    unreadable: 0,
  });
  expect(JSON.parse((await rewrap('--dry-run')).stdout)).toMatchObject({ data_keys_due: 0 });
  environment = { ...environment, ENCRYPTION_KEYS: LATER_KEY };
  const token = await issue({ client_id: 'sealed', sub: 'carol', scope: 'read' });
  expect(await introspect('sealed', secret, token)).toMatchObject({ body: { active: true } });
  expect(await json(['tokens', 'inspect'], token)).toMatchObject({ code: 0 });
  const old = await vestibule(['keys', 'rewrap'], { environment: installation.environment });
  expect(old).toEqual({
    code: 1,
    stdout: '',
    stderr: 'vestibule: ENCRYPTION_KEYS does not open this database.\n',
  });
});

it('imports a client whose kept secret authenticates at the stack', async () => {
  const exported = { ...metadata('imported'), client_id: 'imported', client_secret: SECRET };
  const path = await installation.file('exported.ndjson', `${JSON.stringify(exported)}\n`);
  const { code, value } = await json(['clients', 'import', path, '--from', 'oidc-provider']);
  expect({ code, value }).toEqual({
    code: 0,
    value: [{ client_id: 'imported', outcome: 'created', secret: 'kept', remarks: expect.any(Array) }],
  });
  const token = await issue({ client_id: 'imported', sub: 'dave', scope: 'read' });
  expect(await introspect('imported', SECRET, token)).toMatchObject({ status: 200, body: { active: true } });
  expect((await introspect('imported', 'x'.repeat(32), token)).status).toBe(401);
  await type(['clients', 'delete', 'imported', '--yes']);
  await expect
    .poll(async () => (await introspect('imported', SECRET, token)).status, { timeout: 5_000 })
    .toBe(401);
});

it('queues a notification again that was given up, once, for the stack to deliver', async () => {
  await create('told');
  const [row] = await sql(
    `UPDATE client SET metadata = metadata || '{"backchannel_logout_uri":"https://told.invalid/out"}' WHERE id = 'told'`,
    `INSERT INTO logout_delivery (client_id, uri, subject, state, attempts, next_attempt_at, created_at, finished_at)
      VALUES ('told', 'https://told.invalid/out', 'alice', 'dead', 9, now(), now(), now()) RETURNING id`,
  );
  const listed = await json(['logout', 'deliveries', '--state', 'dead', '--client-id', 'told']);
  expect(listed).toMatchObject({ code: 0, value: [{ id: row.id, state: 'dead', client_id: 'told' }] });
  expect(await json(['logout', 'redeliver', row.id, '--actor', 'jane'])).toMatchObject({
    code: 0,
    value: [{ id: row.id, outcome: 'queued' }],
  });
  expect(await json(['logout', 'redeliver', 'none', '9'.repeat(18)])).toMatchObject({
    code: 3,
    value: [{ outcome: 'unknown' }, { outcome: 'unknown' }],
  });
  const events = await json(['audit', 'export', '--target', `logout_delivery:${row.id}`]);
  expect(events.value).toMatchObject([{ actor: 'operator:jane', action: 'logout_delivery.redelivered' }]);
});

it('finds the schema current, and the chain of audit events intact until somebody changes one', async () => {
  expect(await json(['db', 'migrate'])).toMatchObject({ code: 0, value: { applied: [] } });
  expect(await json(['db', 'status'])).toMatchObject({ code: 0, value: { current: true } });
  await installation.store.database.chainAuditEvents();
  const intact = await json(['audit', 'verify']);
  expect(intact).toMatchObject({ code: 0, value: { intact: true } });
  const { position, hash } = intact.value.head;
  expect(await json(['audit', 'verify', '--head', `${position}:${hash}`])).toMatchObject({ code: 0 });
  expect(await json(['audit', 'verify', '--head', `${Number(position) + 1}:${hash}`])).toMatchObject({
    code: 1,
    value: { intact: false, reason: 'missing' },
  });
  await sql(
    'SET session_replication_role = replica',
    `UPDATE audit_event SET actor = 'master' WHERE position = 2`,
  );
  expect(await type(['audit', 'verify'])).toEqual({
    code: 1,
    stdout: 'The chain is broken: the event at position 2 is changed.\n',
    stderr: '',
  });
});
