import { NO_STORE } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { aForwardAuth, bearer } from '../support/forward-auth-fixture.js';

const UNAVAILABLE = {
  status: 503,
  headers: { ...NO_STORE, 'retry-after': '1', 'content-type': 'application/json' },
  body: '{"error":"temporarily_unavailable","error_description":"Try again later"}',
};

it('refuses what it cannot check while introspection is gone, and public routes stay open', async () => {
  const { check, issue, endpoint, problems } = await aForwardAuth();
  const token = issue();
  endpoint.stop();
  expect(await check('GET /orders', bearer(token))).toEqual(UNAVAILABLE);
  expect((await check('GET /health')).status).toBe(200);
  expect((await check('GET /orders')).status).toBe(401);
  expect(problems.map(({ reason }) => reason)).toEqual(['connection']);
});

it('refuses with 503, not with 401, while its own credentials are wrong', async () => {
  const { check, issue, problems } = await aForwardAuth({
    settings: { INTROSPECTION_CLIENT_SECRET: 'wrong' },
  });
  expect(await check('GET /orders', bearer(issue()))).toEqual(UNAVAILABLE);
  expect(problems.map(({ reason }) => reason)).toEqual(['credentials_refused']);
});

it('limits the introspection requests that run and that wait, one for each token', async () => {
  const { check, issue, endpoint, problems } = await aForwardAuth({
    settings: { INTROSPECTION_MAX_CONCURRENT: '1', INTROSPECTION_MAX_WAITING: '1' },
  });
  const [running, waiting, other] = [issue(), issue(), issue()];
  const open = endpoint.hold();
  const checks = [check('GET /orders', bearer(running))];
  await expect.poll(() => endpoint.requests()).toBe(1);
  checks.push(check('GET /orders', bearer(waiting)), check('GET /orders', bearer(waiting)));
  expect(await check('GET /orders', bearer(other))).toEqual(UNAVAILABLE);
  open();
  expect((await Promise.all(checks)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(endpoint.requests()).toBe(2);
  expect(problems.map(({ reason }) => reason)).toEqual(['overloaded']);
});
