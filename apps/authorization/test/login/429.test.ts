import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp } from '../support/build-test-app.js';
import { authorizationParameters, aVerifier, exchange, logIn } from '../support/code-flow.js';

const LIMIT = 3;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const WITHOUT_AUTHENTICATION = { token_endpoint_auth_method: 'none' };

/** A server with a limit, one of its clients, and the three kinds of requests that are stored. */
async function createFixture(settings = {}, metadata = {}) {
  const here = await buildTestApp({ STORED_REQUESTS_PER_MINUTE_AND_NETWORK: String(LIMIT), ...settings });
  const { app, register, sql } = here;
  const client = await register({ grant_types: ['authorization_code'], ...metadata });
  const { verifier, challenge } = aVerifier();
  const parameters = new URLSearchParams(
    authorizationParameters(client, challenge, { state: 'x'.repeat(2_000) }),
  );
  const address = `/authorize?${parameters}`;
  const send = async (url: string, remoteAddress: string, payload?: string) => {
    const { statusCode, headers, body } = await app.inject({
      method: payload === undefined ? 'GET' : 'POST',
      url,
      remoteAddress,
      headers: FORM,
      ...(payload !== undefined && { payload }),
    });
    return { status: statusCode, headers, body };
  };
  return {
    ...here,
    client,
    verifier,
    address,
    post: (network = NETWORK) => send('/authorize', network, parameters.toString()),
    open: (network = NETWORK) => send(address, network),
    push: (network = NETWORK, secret = '') => send('/par', network, `${parameters}${secret}`),
    stored: async () => {
      const [row] = await sql('SELECT count(*)::int AS count FROM artifact');
      return Number(row?.['count']);
    },
  };
}

const NETWORK = '192.0.2.1';
const SAME_NETWORK = '192.0.2.77';
const OTHER_NETWORK = '2001:db8::1';

/** Sends as many requests as the limit allows and one more, and returns the refusal. */
async function exceed(send: (network?: string) => Promise<{ readonly status: number }>, success: number) {
  for (let count = 0; count < LIMIT; count += 1) expect(await send()).toMatchObject({ status: success });
  return send(SAME_NETWORK) as ReturnType<Awaited<ReturnType<typeof createFixture>>['post']>;
}

it('stores at most as many posted requests of one network as the limit, and says when to retry', async () => {
  const { clock, post, stored, throttled } = await createFixture();
  const refused = await exceed(post, 303);
  const before = await stored();
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '20', 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: expect.stringContaining('too many login attempts from your network'),
  });
  expect(refused.headers.location).toBeUndefined();
  for (let count = 0; count < 20; count += 1) expect((await post()).status).toBe(429);
  expect(await stored()).toBe(before);
  expect(throttled[0]).toEqual({ kind: 'posted_request', network: '192.0.2.0/24' });
  expect(throttled).toHaveLength(21);
  expect((await post(OTHER_NETWORK)).status).toBe(303);
  clock.advanceSeconds(20);
  expect((await post()).status).toBe(303);
});

it('starts at most as many interactions of one network as the limit, and never redirects the refusal to the client', async () => {
  const { open, stored, throttled, problems } = await createFixture();
  const refused = await exceed(open, 303);
  const before = await stored();
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '20', 'content-type': 'text/html; charset=utf-8' },
    body: expect.stringContaining('too many login attempts from your network'),
  });
  expect(refused.headers.location).toBeUndefined();
  for (let count = 0; count < 20; count += 1) expect((await open()).status).toBe(429);
  expect(await stored()).toBe(before);
  expect(throttled[0]).toEqual({ kind: 'interaction', network: '192.0.2.0/24' });
  expect((await open(OTHER_NETWORK)).status).toBe(303);
  expect(problems).toEqual([]);
});

it('accepts at most as many pushed requests of clients without authentication from one network as the limit', async () => {
  const { push, stored, throttled } = await createFixture({}, WITHOUT_AUTHENTICATION);
  const refused = await exceed(push, 201);
  const before = await stored();
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '20' } });
  expect(JSON.parse(refused.body)).toMatchObject({ error: 'too_many_requests' });
  expect(await stored()).toBe(before);
  expect(throttled).toEqual([{ kind: 'pushed_request', network: '192.0.2.0/24' }]);
  expect((await push(OTHER_NETWORK)).status).toBe(201);
});

it('limits no pushed request of a client that authenticates', async () => {
  const { client, push } = await createFixture({}, { token_endpoint_auth_method: 'client_secret_post' });
  for (let count = 0; count < 2 * LIMIT; count += 1)
    expect((await push(NETWORK, `&client_secret=${client.client_secret}`)).status).toBe(201);
});

it('counts a login with its consent once, and no request without interaction', async () => {
  const { app, client, address, verifier } = await createFixture();
  const browser = openBrowser(app);
  const landed = await logIn(browser, address);
  expect(await exchange(app, client, landed, verifier)).toMatchObject({ status: 200 });
  for (let count = 0; count < 2 * LIMIT; count += 1)
    expect((await browser.go(address)).location).toMatch(/^https:\/\/app\.example\/cb\?code=/);
  for (let count = 1; count < LIMIT; count += 1)
    expect((await openBrowser(app).go(address)).location).toMatch(/^\/interaction\//);
  expect((await openBrowser(app).go(address)).status).toBe(429);
});

it('limits nothing if limits are off or the number is 0', async () => {
  for (const settings of [
    { RATE_LIMITS_ENABLED: 'false' },
    { STORED_REQUESTS_PER_MINUTE_AND_NETWORK: '0' },
  ]) {
    const { deps, post, open } = await createFixture(settings);
    expect(deps.storedRequests).toBeUndefined();
    for (let count = 0; count < 2 * LIMIT; count += 1)
      for (const send of [post, open]) expect((await send()).status).toBe(303);
  }
});
