import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, members, NOT_FOUND, post, send } from '../support/calls.js';

it('responds with 404 for a session that is unknown, ended, expired or of another end-user, and adds nothing', async () => {
  const { app, register, sql } = await buildTestApp();
  const { client_id: id } = await register();
  const open = async (sub: string) =>
    String(members(await post(app, '/direct-authz/sessions', { sub }))['sid']);
  const [ended, expired, other] = [await open('carol'), await open('carol'), await open('bob')];
  await send(app, `DELETE /direct-authz/sessions/${ended}`, { token: MASTER });
  await sql('UPDATE session SET expires_at = to_timestamp(0) WHERE id = $1', [expired]);
  for (const name of ['unknown', ended, expired, other, 'x'.repeat(256), '\0', 'a/b'])
    expect(
      await post(app, `/direct-authz/sessions/${encodeURIComponent(name)}/clients`, {
        client_id: id,
        sub: 'carol',
      }),
      name,
    ).toEqual(NOT_FOUND);
  expect(await sql('SELECT FROM session_client')).toEqual([]);
});

it('responds with 400 without an end-user or a registered client', async () => {
  const { app, register, sql } = await buildTestApp();
  const { client_id: id } = await register();
  const { sid } = members(await post(app, '/direct-authz/sessions', { sub: 'carol' }));
  const enter = (body: unknown) => post(app, `/direct-authz/sessions/${sid}/clients`, body);
  const bad = [
    {},
    { client_id: id },
    { sub: 'carol' },
    { client_id: id, sub: '' },
    { client_id: id, sub: 'x'.repeat(256) },
    { client_id: [id], sub: 'carol' },
    { client_id: id, sub: 'carol', sid: 'mine' },
    [],
  ];
  for (const body of bad) {
    const { status, headers } = await enter(body);
    expect({ status, headers }, JSON.stringify(body)).toEqual({ status: 400, headers: JSON_HEADERS });
  }
  for (const unknown of ['unknown', 'a b', '__proto__'])
    expect(await enter({ client_id: unknown, sub: 'carol' }), unknown).toEqual(
      badRequest('client_id: is not a registered client'),
    );
  expect(await sql('SELECT FROM session_client')).toEqual([]);
});
