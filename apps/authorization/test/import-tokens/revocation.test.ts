import { readLiveToken } from '@vestibule/tokens';
import { describe, expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { NO_CONTENT, post, send } from '../support/calls.js';
import { type CodeClient, postForm } from '../support/code-flow.js';
import { anImport, imported, importedLines } from '../support/imports.js';

async function createFixture() {
  const service = await buildTestApp({}, false, true);
  const client = await service.register({ grant_types: ['authorization_code', 'refresh_token'] });
  const now = Math.floor(Date.now() / 1_000);
  const times = { iat: now - 60, exp: now + 540 };
  const [access, refresh, other] = [
    anImport(client.client_id, { ...times, sid: 'session' }),
    anImport(client.client_id, { ...times, sid: 'session', kind: 'refresh' }),
    anImport((await service.register()).client_id, { ...times, sub: 'bob', sid: 'other' }),
  ];
  await imported(service.app, [access, refresh, other]);
  /** Which of the tokens there are. */
  const present = async () => {
    const { digester } = service.store;
    const stored = await service.sql(
      `SELECT encode(digest, 'hex') AS digest FROM access_token UNION ALL SELECT encode(digest, 'hex') FROM refresh_token`,
    );
    const isStored = ({ token, kind }: { token: string; kind: string }) =>
      stored.some(
        ({ digest }) =>
          digest ===
          Buffer.from(digester.digest(kind === 'access' ? 'access-token' : 'refresh-token', token)).toString(
            'hex',
          ),
      );
    return { access: isStored(access), refresh: isStored(refresh), other: isStored(other) };
  };
  const isActive = async ({ token }: { token: string }) =>
    (await readLiveToken({ ...service.deps, ...service.store.database }, token)) !== undefined;
  const revoke = (body: object) => post(service.app, '/direct-authz/revoke', body);
  return { ...service, client: client as CodeClient, access, refresh, other, present, isActive, revoke };
}

describe('imported tokens are revoked', () => {
  it('by the token itself, at the direct authorization endpoint', async () => {
    const { access, refresh, present, isActive, revoke } = await createFixture();
    expect(await revoke({ token: access.token })).toEqual(NO_CONTENT);
    expect(await present()).toEqual({ access: false, refresh: true, other: true });
    expect(await isActive(access)).toBe(false);
    expect(await revoke({ token: refresh.token })).toEqual(NO_CONTENT);
    expect(await present()).toEqual({ access: false, refresh: false, other: true });
  });

  it.each(['client_id', 'sub', 'sid'])('by %s, both kinds at once', async (name) => {
    const { client, present, isActive, access, other, revoke } = await createFixture();
    const value = { client_id: client.client_id, sub: 'alice', sid: 'session' }[name];
    expect(await revoke({ [name]: value })).toEqual(NO_CONTENT);
    expect(await present()).toEqual({ access: false, refresh: false, other: true });
    expect([await isActive(access), await isActive(other)]).toEqual([false, true]);
  });

  it('by their client at the revocation endpoint (RFC 7009), and by no other client', async () => {
    const { app, register, client, access, refresh, present } = await createFixture();
    const otherClient = await register();
    for (const { token } of [access, refresh]) {
      expect((await postForm(app, '/token/revoke', otherClient, { token })).status).toBe(200);
      expect(await present()).toEqual({ access: true, refresh: true, other: true });
    }
    const hint = { token_type_hint: 'access_token' };
    expect((await postForm(app, '/token/revoke', client, { token: refresh.token, ...hint })).status).toBe(
      200,
    );
    expect(await present()).toEqual({ access: true, refresh: false, other: true });
    expect((await postForm(app, '/token/revoke', client, { token: access.token })).status).toBe(200);
    expect(await present()).toEqual({ access: false, refresh: false, other: true });
  });

  it('with their client', async () => {
    const { sql, client, present } = await createFixture();
    await sql('DELETE FROM client WHERE id = $1', [client.client_id]);
    expect(await present()).toEqual({ access: false, refresh: false, other: true });
  });

  it('with the session that they name, when it ends', async () => {
    const { app, client, present, isActive } = await createFixture();
    const { body } = await post(app, '/direct-authz/sessions', {
      sub: 'alice',
      client_ids: [client.client_id],
    });
    const { sid } = JSON.parse(body);
    const now = Math.floor(Date.now() / 1_000);
    const entry = anImport(client.client_id, { iat: now, exp: now + 60, sid });
    await imported(app, [entry]);
    expect(await isActive(entry)).toBe(true);
    expect(await send(app, `DELETE /direct-authz/sessions/${sid}`, { token: MASTER })).toEqual(NO_CONTENT);
    expect(await isActive(entry)).toBe(false);
    expect(await present()).toMatchObject({ access: true, refresh: true });
  });

  it('and stay revoked when they are imported again', async () => {
    const { app, access, refresh, present, revoke } = await createFixture();
    await revoke({ sub: 'alice' });
    expect(await imported(app, [access, refresh])).toEqual({ stored: 0, unchanged: 0, revoked: 2 });
    expect(await present()).toEqual({ access: false, refresh: false, other: true });
  });
});

it.each(['access', 'refresh'])(
  'a token that was revoked before it is imported stays inactive (%s)',
  async (kind) => {
    const { app, client, access, isActive, revoke, sql } = await createFixture();
    const { iat, exp } = access;
    const entry = anImport(client.client_id, { iat, exp, kind });
    expect(await revoke({ token: entry.token })).toEqual(NO_CONTENT);
    expect(await imported(app, [entry])).toEqual({ stored: 0, unchanged: 0, revoked: 1 });
    expect(await importedLines(app, [{ ...entry, scope: 'other' }])).toEqual([
      { line: 1, result: 'revoked' },
    ]);
    expect(await isActive(entry)).toBe(false);
    expect(await sql('SELECT FROM refresh_token')).toHaveLength(1);
  },
);

// The team's own server redeems them.
it('an imported refresh token gives no tokens here, and an imported access token no claims', async () => {
  const { app, client, access, refresh, present } = await createFixture();
  const { status, body } = await postForm(app, '/token', client, {
    grant_type: 'refresh_token',
    refresh_token: refresh.token,
  });
  expect([status, body.error]).toEqual([400, 'invalid_grant']);
  const { statusCode } = await app.inject({
    url: '/userinfo',
    headers: { authorization: `Bearer ${access.token}` },
  });
  expect(statusCode).toBe(401);
  expect(await present()).toEqual({ access: true, refresh: true, other: true });
});
