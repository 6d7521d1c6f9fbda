import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, members, post, send } from '../support/calls.js';

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
    { sub: 'alice', sid: '' },
    { sub: 'alice', sid: 'x'.repeat(256) },
    { sub: 'alice', session: 'mine' },
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

it('opens no second session under an identifier, not even after the first has ended', async () => {
  const { app, sql, register } = await buildTestApp();
  const { client_id: id } = await register();
  const first = await post(app, '/direct-authz/sessions', { sub: 'alice', sid: 'mine', client_ids: [id] });
  const { sid } = (members(first)['clients'] as Record<string, { readonly sid: string }>)[id] ?? {};
  const grants = await sql('SELECT id FROM "authorization"');
  const problem = badRequest('sid: is the identifier of a session that exists or has ended');
  for (const taken of ['mine', sid])
    expect(
      await post(app, '/direct-authz/sessions', { sub: 'bob', sid: taken, client_ids: [id] }),
      taken,
    ).toEqual(problem);
  expect(await sql('SELECT id, subject FROM session')).toEqual([{ id: 'mine', subject: 'alice' }]);
  expect(await sql('SELECT id FROM "authorization"')).toEqual(grants);
  expect((await send(app, 'DELETE /direct-authz/sessions/mine', { token: MASTER })).status).toBe(204);
  expect(await post(app, '/direct-authz/sessions', { sub: 'alice', sid: 'mine' })).toEqual(problem);
  expect(await sql('SELECT FROM session')).toEqual([]);
});
