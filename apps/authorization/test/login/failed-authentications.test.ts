import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { frozenClock } from '@vestibule/protocol/testing';
import { failedAuthenticationThrottle } from '@vestibule/service';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/index.js';
import { buildTestApp } from '../support/build-test-app.js';
import { postForm } from '../support/code-flow.js';

const PER_MINUTE = 2;
const MACHINE = { grant_types: ['client_credentials'], scope: 'read' };

/** A request to each endpoint at which clients authenticate. */
const REQUESTS = {
  '/token': { grant_type: 'client_credentials' },
  '/token/revoke': { token: 'x'.repeat(43) },
  '/par': { response_type: 'code', redirect_uri: 'https://app.example/cb', scope: 'read' },
} as const;

const SUCCESS = { '/token': 200, '/token/revoke': 200, '/par': 201 };

type Endpoint = keyof typeof REQUESTS;

const ENDPOINTS = Object.keys(REQUESTS) as Endpoint[];

/** A server whose delayed responses wait until a test releases them. */
async function createFixture() {
  const { deps, register } = await buildTestApp({}, false, true);
  const planned: (() => void)[] = [];
  let counted = 0;
  const throttle = failedAuthenticationThrottle({
    store: tokenBuckets({ clock: frozenClock() }),
    scheduler: { after: (_delayMs, run) => planned.push(run) },
    perMinute: PER_MINUTE,
    random: () => 0.5,
  });
  const failedAuthentications = {
    release: () => {
      counted += 1;
      return throttle.release();
    },
  };
  const app = buildApp({ ...deps, failedAuthentications }, { logger: false });
  onTestFinished(() => app.close());
  const client = await register({ ...MACHINE, grant_types: ['client_credentials', 'authorization_code'] });
  return {
    client,
    authenticate: (
      endpoint: Endpoint,
      as: { client_id: string; client_secret?: string } = client,
      form = {},
    ) => postForm(app, endpoint, as, { client_id: as.client_id, ...REQUESTS[endpoint], ...form }),
    counted: () => counted,
    untilPlanned: async (count: number) => {
      while (planned.length < count) await new Promise((resolve) => setImmediate(resolve));
    },
    releaseAll: () => {
      for (const run of planned.splice(0)) run();
    },
  };
}

it('delays the responses to failed authentications beyond a limit that all endpoints and clients share', async () => {
  const { authenticate, client, untilPlanned, releaseAll } = await createFixture();
  const wrong = { ...client, client_secret: 'wrong' };
  const unknown = { client_id: 'unknown', client_secret: 'wrong' };
  const withoutDelay = [await authenticate('/token', wrong), await authenticate('/token/revoke', unknown)];
  const delayed = ENDPOINTS.flatMap((endpoint) => [
    authenticate(endpoint, wrong),
    authenticate(endpoint, unknown),
  ]);
  let responded = 0;
  for (const each of delayed) void each.then(() => (responded += 1));
  await untilPlanned(delayed.length);
  for (const endpoint of ENDPOINTS)
    expect(await authenticate(endpoint), endpoint).toMatchObject({ status: SUCCESS[endpoint] });
  expect(responded).toBe(0);
  releaseAll();
  for (const { status, body } of [...withoutDelay, ...(await Promise.all(delayed))]) {
    expect(status).toBe(401);
    expect(body).toEqual({ error: 'invalid_client', error_description: 'client authentication failed' });
  }
});

it('does not count other errors', async () => {
  const { authenticate, counted, client } = await createFixture();
  const unbound = { redirect_uri: 'https://evil.example/' };
  expect((await authenticate('/token', client, { grant_type: 'unknown' })).status).toBe(400);
  expect((await authenticate('/token', client, { scope: 'unregistered' })).status).toBe(400);
  expect((await authenticate('/token/revoke', client, { token: '' })).status).toBe(400);
  expect((await authenticate('/par', client, unbound)).status).toBe(400);
  expect(counted()).toBe(0);
});

it('delays nothing if limits are off or the number is 0', async () => {
  for (const settings of [{ RATE_LIMITS_ENABLED: 'false' }, { FAILED_AUTHENTICATIONS_PER_MINUTE: '0' }])
    expect((await buildTestApp(settings)).deps.failedAuthentications).toBeUndefined();
  expect((await buildTestApp()).deps.failedAuthentications).toBeDefined();
});
