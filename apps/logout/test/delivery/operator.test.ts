import { sha256 } from '@vestibule/crypto';
import { createServer } from '@vestibule/http';
import { committedDocument, documentedResponse } from '@vestibule/http/testing';
import { expect, it, onTestFinished } from 'vitest';
import { composeDeliveryRoutes, deliveryRoutes } from '../../src/index.js';
import { createDeliveryFixture, ISSUER } from '../support/delivery-fixture.js';
import { aReceiver, status } from '../support/receiver.js';

const MASTER = 'the-master-token-of-the-tests-0123456789abcdef';

const API_DOCUMENT = committedDocument(new URL('../../openapi.json', import.meta.url));

/** The delivery routes over a store with notifications. */
async function anOperator() {
  const fixture = await createDeliveryFixture();
  const app = createServer({ logger: false });
  const settings = {
    BASE_URL: ISSUER,
    API_PAGE_ENABLED: false,
    MASTER_TOKEN_SHA256: [Buffer.from(sha256(MASTER)).toString('hex')],
  };
  app.register(deliveryRoutes, composeDeliveryRoutes(settings, fixture.store));
  onTestFinished(() => app.close());
  const call = (method: 'GET' | 'POST' | 'PUT', url: string, token: string | undefined = MASTER) => {
    const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
    return documentedResponse(app, { method, url, headers: authorization }, API_DOCUMENT);
  };
  return { ...fixture, call };
}

/** A notification that was given up, and one that was delivered. */
async function settled() {
  const operator = await anOperator();
  const [gone, good] = [await aReceiver((...args) => status(code)(...args)), await aReceiver()];
  let code = 410;
  await operator.register('gone', gone.url);
  await operator.register('good', good.url);
  operator.deliver([gone, good]);
  await operator.logout(await operator.login(['gone', 'good']));
  await operator.until('dead', 1);
  await operator.until('delivered', 1);
  const respondWith = (next: number) => {
    code = next;
  };
  return { ...operator, gone, good, respondWith };
}

it('lists notifications without queries, end-users, sessions and tokens', async () => {
  const { call } = await settled();
  const { status: code, headers, body } = await call('GET', '/logout/deliveries');
  expect([code, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/json;charset=UTF-8',
    'no-store',
  ]);
  const deliveries = JSON.parse(body);
  expect(
    deliveries.toSorted((a: { client_id: string }, b: { client_id: string }) =>
      a.client_id.localeCompare(b.client_id),
    ),
  ).toEqual([
    {
      id: expect.any(String),
      client_id: 'gone',
      uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/logout$/),
      state: 'dead',
      attempts: 1,
      last_status: 410,
      last_error: 'status',
      created_at: expect.any(Number),
      finished_at: expect.any(Number),
    },
    expect.objectContaining({ client_id: 'good', state: 'delivered', last_status: 200 }),
  ]);
  expect(body).not.toMatch(/secret|alice|session-1|eyJ/);
});

it('filters the list by state and client, and pages through it', async () => {
  const { call, login, logout, register, list } = await anOperator();
  for (const id of ['a', 'b']) await register(id, `https://${id}.example/out`);
  for (let session = 0; session < 5; session += 1) await logout(await login(['a', 'b']));
  const read = async (query: string) => JSON.parse((await call('GET', `/logout/deliveries?${query}`)).body);
  expect(await read('client_id=a')).toHaveLength(5);
  expect(await read('client_id=a&state=dead')).toEqual([]);
  expect(await read('state=pending')).toHaveLength(10);
  expect(await read(`client_id=${encodeURIComponent('é')}`)).toEqual([]);
  const seen: string[] = [];
  for (let next: string | undefined = '/logout/deliveries?limit=3&state=pending'; next !== undefined; ) {
    const { headers, body } = await call('GET', next);
    seen.push(...JSON.parse(body).map(({ id }: { id: string }) => id));
    next = /^<https:\/\/as\.example([^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
  }
  expect(seen).toEqual((await list()).map(({ id }) => id));
});

it('finds the notifications of an end-user, and those of a session by any of its names, whatever client they are for', async () => {
  const { call, login, logout, register } = await anOperator();
  for (const id of ['a', 'b']) await register(id, `https://${id}.example/out`);
  const metadata = { subject_type: 'pairwise' } as const;
  await register('pairwise', 'https://c.example/out', { metadata });
  const first = await login(['a', 'b', 'pairwise']);
  for (const id of [first, await login(['a']), await login(['a', 'b'], 600, 'bob & co')]) await logout(id);
  const read = async (query: Record<string, string>) => {
    const { status: code, body } = await call('GET', `/logout/deliveries?${new URLSearchParams(query)}`);
    expect([code, /alice|bob|session-/.test(body)]).toEqual([200, false]);
    return JSON.parse(body)
      .map(({ client_id: id }: { client_id: string }) => id)
      .toSorted();
  };
  expect(await read({ sub: 'alice' })).toEqual(['a', 'a', 'b', 'pairwise']);
  expect(await read({ sub: 'bob & co' })).toEqual(['a', 'b']);
  expect(await read({ sub: 'alice', client_id: 'a', state: 'pending' })).toEqual(['a', 'a']);
  expect(await read({ sub: 'bob' })).toEqual([]);
  for (const sid of [first, `${first} at a`, `${first} at pairwise`])
    expect(await read({ sid }), sid).toEqual(['a', 'b', 'pairwise']);
  expect(await read({ sid: first, sub: 'bob & co' })).toEqual([]);
  expect(await read({ sid: 'unknown' })).toEqual([]);
  const { headers } = await call('GET', '/logout/deliveries?sub=bob+%26+co&limit=1');
  expect(headers['link']).toMatch(/sub=bob\+%26\+co&limit=1&cursor=\d+>; rel="next"$/);
});

it.each([
  'sub=',
  'sid=',
  'sub=a%00b',
  `sid=${'x'.repeat(256)}`,
  'sub=a&sub=b',
  'state=gone',
  'limit=0',
  'limit=1001',
  'cursor=x',
  'cursor=',
  'cliend_id=a',
  'state=dead&state=pending',
])('refuses the list %s', async (query) => {
  const { call } = await anOperator();
  const { status: code, body } = await call('GET', `/logout/deliveries?${query}`);
  expect([code, JSON.parse(body).error]).toEqual([400, 'invalid_request']);
});

it('redelivers failed and delivered notifications with a new token, and records the operator in the audit log', async () => {
  const { call, list, gone, good, respondWith, store } = await settled();
  respondWith(200);
  for (const [id, receiver] of [['gone', gone] as const, ['good', good] as const]) {
    const [delivery] = await list({ clientId: id as never });
    const response = await call('POST', `/logout/deliveries/${delivery?.id}/redeliver`);
    expect([response.status, response.body]).toEqual([202, '']);
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(2);
    expect(new Set(receiver.received.map(({ token }) => token)).size).toBe(2);
    await expect
      .poll(async () => (await list({ clientId: id as never }))[0])
      .toMatchObject({ state: 'delivered', attempts: 2, redeliveredAt: expect.any(Number) });
    const target = `logout_delivery:${delivery?.id}`;
    const events: unknown[] = [];
    for await (const event of store.database.auditEvents({ target })) events.push(event);
    expect(events).toMatchObject([{ actor: 'master', action: 'logout_delivery.redelivered' }]);
  }
});

it('responds with 409 for a waiting notification, and 404 for an unknown one', async () => {
  const { call, login, logout, register, list } = await anOperator();
  await register('a', 'https://a.example/out');
  await logout(await login(['a']));
  const [delivery] = await list();
  const again = await call('POST', `/logout/deliveries/${delivery?.id}/redeliver`);
  expect([again.status, again.body]).toEqual([409, '']);
  for (const id of ['0', '999', 'x', '-1', '1e3', '9'.repeat(30), '%00', 'a%2Fb'])
    expect((await call('POST', `/logout/deliveries/${id}/redeliver`)).status, id).toBe(404);
  expect(await list()).toEqual([delivery]);
});

it('accepts the master token only', async () => {
  const { call } = await anOperator();
  for (const [method, url] of [
    ['GET', '/logout/deliveries'],
    ['POST', '/logout/deliveries/1/redeliver'],
  ] as const) {
    const { status: code, headers } = await call(method, url, '');
    expect([code, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const wrong = await call(method, url, 'another-token');
    expect(wrong.status).toBe(401);
    expect(wrong.headers['www-authenticate']).toContain('error="invalid_token"');
  }
  expect((await call('PUT', '/logout/deliveries')).status).toBe(405);
  expect((await call('GET', '/logout/deliveries/1/redeliver')).status).toBe(405);
});
