import { createMetrics } from '@vestibule/http/observability';
import { expect, it } from 'vitest';
import { refusedRegistrationCounter } from '../../src/index.js';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { send } from '../support/calls.js';

it('counts refused registrations by the credential that was accepted, and neither dry runs nor unknown tokens', async () => {
  const { registry } = createMetrics('registration');
  const settings = { ALLOW_OPEN_REGISTRATION: 'true', OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: '2' };
  const { app, initialToken } = await buildTestApp(settings, false, {
    onRefusedRegistration: refusedRegistrationCounter(registry),
  });
  const insecure = { redirect_uris: ['http://app.example/cb'] };
  const register = async (token?: string, body: object = insecure, query = '') =>
    (await send(app, `POST /clients${query}`, { token, body })).status;
  const token = await initialToken('client-reg');
  expect(await register()).toBe(400);
  expect(await register(undefined, { grant_types: ['client_credentials'], response_types: [] })).toBe(401);
  expect(await register()).toBe(429);
  expect(await register(token)).toBe(400);
  expect(await register(MASTER)).toBe(400);
  expect(await register(MASTER, insecure, '?dry_run=true')).toBe(400);
  expect(await register('unknown')).toBe(401);
  const lines = (await registry.metrics()).split('\n');
  const counted = lines.filter((line) => /^registrations_refused.* [^0]/.test(line));
  expect(counted.map((line) => /who="(\w+)",code="(\w+)".* (\d+)$/.exec(line)?.slice(1))).toEqual([
    ['anonymous', 'invalid_redirect_uri', '1'],
    ['anonymous', 'missing_token', '1'],
    ['anonymous', 'too_many_requests', '1'],
    ['initial_access_token', 'invalid_redirect_uri', '1'],
    ['master_token', 'invalid_redirect_uri', '1'],
  ]);
});
