import { foreignSql } from '@vestibule/local-services/testing';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { aClient, aClientId } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { type Figures, FiguresUnavailableError } from '../../../src/figures/figures.js';
import { buildTestConsole, type TestConsole } from '../../support/build-test-console.js';
import { textOf } from '../federation/federation-fixture.js';

/** Ends the session of an end-user at a client with a back channel, which gets a notification. */
async function endASession({ store }: Pick<TestConsole, 'store'>, id: string) {
  const { sessions } = store.database.providerRecords;
  const at = nowSeconds(store.clock);
  const session = {
    id,
    cookieDigest: store.digester.digest('session-cookie', id),
    subject: 'alice',
    payload: {},
    expiresAt: epochSeconds(at + 900),
    clients: [{ clientId: 'notified', sid: `sid-${id}` }],
  };
  await sessions.save(session, at);
  expect(await sessions.end(id, at)).toBe(true);
}

/** Makes the next delivery end in a state. */
async function settle({ store }: Pick<TestConsole, 'store'>, state: 'delivered' | 'dead') {
  const { logoutDeliveries } = store.database;
  const { deliveries } = await logoutDeliveries.claim({
    limit: 1,
    leaseMs: 30_000,
    hosts: [],
    slotsOfHost: 9,
    targets: [],
    slotsOfTarget: 9,
  });
  await logoutDeliveries.settle(deliveries.map(({ id, attempt }) => ({ id, attempt, state, waitMs: 0 })));
}

interface KeyAge {
  readonly state: string;
  readonly createdDaysAgo: number;
  /** Default: none. */
  readonly expiresInDays?: number;
}

/** A retired key that is removed within a week. */
const ENDING: KeyAge = { state: 'retired', createdDaysAgo: 30, expiresInDays: 6 };

/** The statement that adds a key pair, as its overview sees it. */
function keySql(
  kid: string,
  keySet: string,
  use: 'sig' | 'enc',
  { state, createdDaysAgo, expiresInDays }: KeyAge,
): string {
  const algorithm = use === 'enc' ? 'RSA-OAEP-256' : 'RS256';
  const expires = expiresInDays === undefined ? 'NULL' : `now() + interval '${expiresInDays} days'`;
  return `INSERT INTO signing_key
      (kid, key_set, use, algorithm, state, public_jwk, private_jwk_sealed, created_at, expires_at)
    VALUES ('${kid}', '${keySet}', '${use}', '${algorithm}', '${state}', '{}', '', now() - interval '${createdDaysAgo} days', ${expires})`;
}

it('shows what needs a person, each with a link', async () => {
  const console = await buildTestConsole();
  const { get, store } = console;
  const { clients } = store.database;
  const issuedAt = nowSeconds(store.clock);
  expect(textOf((await get('/')).text)).toContain('Nothing needs attention.');
  await clients.create(
    aClient({ id: aClientId('p1'), status: 'pending', issuedAt, metadata: { client_name: 'Waiting <b>' } }),
  );
  await clients.create(
    aClient({
      id: aClientId('notified'),
      issuedAt,
      metadata: { backchannel_logout_uri: 'https://rp.example/out' },
    }),
  );
  await endASession(console, 's1');
  await settle(console, 'dead');
  const { status, text } = await get('/');
  expect(status).toBe(200);
  const shown = textOf(text);
  expect(shown).toContain('Clients that wait for approval: 1. The first: Waiting <b>');
  expect(text).toContain('href="/clients/p1"');
  expect(text).toContain('href="/clients?status=pending"');
  expect(shown).toContain('Logout notifications that were given up: 1');
});

it.each([
  [
    'Initial access tokens that end within a week: build server (uses left: 2, until ',
    '/initial-tokens',
    `INSERT INTO initial_access_token (digest, scope, audience, issued_at, expires_at, uses_left, label) VALUES
      (sha256('a'), '', '{}', now(), now() + interval '6 days', 2, 'build server'),
      (sha256('b'), '', '{}', now(), now() + interval '8 days', 2, 'far away'),
      (sha256('c'), '', '{}', now(), now() + interval '6 days', 0, 'used up')`,
  ],
  ['Key e1 (ring encryption, RSA-OAEP-256) is removed at ', '/keys', keySql('e1', 'provider', 'enc', ENDING)],
  ['Key p1 (ring provider, RS256) is removed at ', '/keys', keySql('p1', 'provider', 'sig', ENDING)],
  ['Key f1 (ring federation, RS256) is removed at ', '/keys', keySql('f1', 'federation', 'sig', ENDING)],
  [
    'Key f2 (ring federation, RS256) has been in use since ',
    '/keys',
    keySql('f2', 'federation', 'sig', { state: 'active', createdDaysAgo: 366 }),
  ],
  [
    'Key e2 (ring encryption, RSA-OAEP-256) has been pending since ',
    '/keys',
    keySql('e2', 'provider', 'enc', { state: 'pending', createdDaysAgo: 8 }),
  ],
  [
    'Client ID metadata documents that their hosts have withdrawn: 1',
    '/clients?origin=metadata_document',
    `INSERT INTO client_metadata_document (url, history, withdrawn_at)
      VALUES ('https://a.example', '[]', now()), ('https://b.example', '[]', NULL)`,
  ],
])('shows what needs a person: %s', async (sentence, address, statement) => {
  const { get, databaseUrl } = await buildTestConsole();
  const sql = await foreignSql(databaseUrl);
  await sql(statement);
  // Keys that need nothing are left out.
  await sql(keySql('p9', 'federation', 'sig', { state: 'pending', createdDaysAgo: 6 }));
  const { text } = await get('/');
  const shown = textOf(text);
  expect(shown).toContain(sentence);
  expect(text).toMatch(new RegExp(`<td data-title="Where"><a href="${address.replace('?', '\\?')}">`));
  expect(shown).not.toMatch(/far away|used up|p9/);
  expect(text.match(/<td data-title="Urgency">/g)).toHaveLength(1);
});

it('plots registrations, logouts and deliveries of the last hour and day, with a table', async () => {
  const console = await buildTestConsole();
  const { get, store } = console;
  const seconds = nowSeconds(store.clock);
  const ages = [60, 600, 3_000, 7_200, 80_000, 200_000];
  for (const [index, age] of ages.entries())
    await store.database.clients.create(
      aClient({ id: aClientId(`c${index}`), issuedAt: epochSeconds(seconds - age) }),
    );
  await store.database.clients.create(
    aClient({
      id: aClientId('notified'),
      issuedAt: epochSeconds(seconds - 300_000),
      metadata: { backchannel_logout_uri: 'https://rp.example/out' },
    }),
  );
  for (const id of ['s1', 's2', 's3']) await endASession(console, id);
  await settle(console, 'delivered');
  await settle(console, 'dead');
  const { text } = await get('/');
  const shown = textOf(text);
  expect(descriptionOf(text, 'hour-registrations')).toMatch(/^Clients 3\. Most in 2 minutes: 1\.$/);
  expect(descriptionOf(text, 'day-registrations')).toMatch(/^Clients 5\. Most in 30 minutes: \d\.$/);
  expect(descriptionOf(text, 'hour-logouts')).toMatch(/^Sessions with clients to notify 3\./);
  expect(descriptionOf(text, 'hour-deliveries')).toMatch(/^Delivered 1, Given up 1\./);
  expect(shown).toContain('Figures in steps of 10 minutes');
  expect(text).toContain('<span data-figure="waiting-deliveries">1</span>');
  expect(text).toContain('<span data-figure="registered">3</span>');
  expect(text.length).toBeLessThan(30_000);
});

const descriptionOf = (text: string, id: string) =>
  textOf(new RegExp(`<desc id="${id}-text">(.*?)</desc>`).exec(text)?.[1] ?? '');

const figuresOf = (figures: Partial<Figures>): Figures => ({
  introspections: async () => new Map(),
  alerts: async () => [],
  ...figures,
});

it('shows introspections by outcome, and alerts as text', async () => {
  const figures = figuresOf({
    introspections: async ({ steps }) =>
      new Map([
        ['expired', Array.from({ length: steps }, () => 2)],
        ['active', Array.from({ length: steps }, () => 10)],
      ]),
    alerts: async () => [
      { name: 'HighErrorRate', severity: 'critical', summary: 'bad\u202e <img src=x> news' },
    ],
  });
  const { get } = await buildTestConsole({}, { figures });
  const { text } = await get('/');
  expect(descriptionOf(text, 'hour-introspections')).toBe('active 300, expired 60. Most in 2 minutes: 12.');
  expect(textOf(text)).toContain('Critical alert');
  expect(text).not.toContain('<img');
  expect(text).toMatch(/<span data-figure="introspections">0\.[0-9] per second<\/span>/);
});

it('says how to get figures and alerts, and shows the rest if their source fails', async () => {
  const none = await buildTestConsole();
  expect(textOf((await none.get('/')).text)).toContain('set CONSOLE_PROMETHEUS_URL');
  const gone = async () => {
    throw new FiguresUnavailableError('Prometheus gives no usable response (timeout).');
  };
  const failing = await buildTestConsole({}, { figures: figuresOf({ introspections: gone, alerts: gone }) });
  const { status, text } = await failing.get('/');
  expect(status).toBe(200);
  expect(textOf(text)).toContain('Alerts: Prometheus gives no usable response (timeout).');
  expect(text).toContain('id="hour-registrations-title"');
});
