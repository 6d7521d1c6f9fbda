import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, post } from '../support/calls.js';

it('opens no session without an end-user and registered clients', async () => {
  const { app, sql, register } = await buildTestApp();
  const { client_id: id } = await register();
  const bad = [
    {},
    { sub: '' },
    { sub: 1 },
    { sub: 'x'.repeat(256) },
    { client_ids: [id] },
    { sub: 'alice', client_ids: id },
    { sub: 'alice', client_ids: [''] },
    { sub: 'alice', client_ids: Array.from({ length: 101 }, () => id) },
    { sub: 'alice', sid: 'mine' },
    [],
  ];
  for (const body of bad) {
    const { status, headers } = await post(app, '/direct-authz/sessions', body);
    expect({ status, headers }, JSON.stringify(body)).toEqual({ status: 400, headers: JSON_HEADERS });
  }
  for (const unknown of ['unknown', 'a b', '__proto__'])
    expect(
      await post(app, '/direct-authz/sessions', { sub: 'alice', client_ids: [id, unknown] }),
      unknown,
    ).toEqual(badRequest('client_ids: contains a client that is not registered'));
  expect(await sql('SELECT FROM session')).toEqual([]);
  expect(await sql('SELECT FROM "authorization"')).toEqual([]);
});
