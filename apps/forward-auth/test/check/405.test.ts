import { expect, it } from 'vitest';
import { aForwardAuth, bearer, forwarded } from '../support/forward-auth-fixture.js';

it.each(['POST', 'HEAD', 'OPTIONS'] as const)('is for GET, not for %s', async (method) => {
  const { app, issue } = await aForwardAuth();
  const headers = forwarded('GET', '/orders', bearer(issue()));
  const { statusCode, headers: seen } = await app.inject({ method, url: '/check', headers });
  expect([statusCode, seen['allow'], seen['x-token-subject']]).toEqual([405, 'GET', undefined]);
});
