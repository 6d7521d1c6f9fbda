import { readLiveToken } from '@vestibule/tokens';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, NOW, type TestApp } from '../support/build-test-app.js';
import { issued } from '../support/calls.js';
import { anImport, imported, importedLines } from '../support/imports.js';

const stateOf = ({ deps, store }: TestApp, token: string) =>
  readLiveToken({ ...deps, ...store.database }, token);

const FACTS = {
  username: 'Alice Ä',
  scope: 'read write',
  aud: ['https://api.example', 'rs1'],
  nbf: NOW - 1,
  cnf: { jkt: 'thumbprint' },
  act: { sub: 'admin' },
  dat: { tier: 'gold', limits: [1, 2] },
  claims: { email: 'alice@example.org', acr: 'loa2', auth_time: NOW - 90 },
  sid: 'session-elsewhere',
};

it('makes access tokens active with everything that was sent, as if they were issued here', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const [minimal, complete] = [anImport(id, { sub: undefined, scope: undefined }), anImport(id, FACTS)];
  expect(await imported(service.app, [minimal, complete])).toEqual({ stored: 2, unchanged: 0, revoked: 0 });
  const times = { clientId: id, issuer: ISSUER, issuedAt: NOW - 60, expiresAt: NOW + 540 };
  expect(await stateOf(service, minimal.token)).toEqual({ ...times, scope: '', audience: [] });
  expect(await stateOf(service, complete.token)).toEqual({
    ...times,
    subject: 'alice',
    username: FACTS.username,
    scope: FACTS.scope,
    audience: FACTS.aud,
    notBefore: FACTS.nbf,
    confirmation: FACTS.cnf,
    actor: FACTS.act,
    data: FACTS.dat,
    claims: FACTS.claims,
    sessionId: FACTS.sid,
  });
});

it('counts new tokens, those that were sent before, and those that were revoked since', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const [a, b, c] = [anImport(id), anImport(id, FACTS), anImport(id, { kind: 'refresh' })] as const;
  expect(await imported(service.app, [a, b])).toEqual({ stored: 2, unchanged: 0, revoked: 0 });
  await service.store.database.revocations.revokeAccessToken(
    service.store.digester.availableDigests('access-token', a.token),
  );
  // The order of members, scope values and audience makes no difference.
  const reordered = {
    ...b,
    aud: FACTS.aud.toReversed(),
    claims: Object.fromEntries(Object.entries(FACTS.claims).toReversed()),
    scope: 'write read',
  };
  expect(await imported(service.app, [c, reordered, a])).toEqual({ stored: 1, unchanged: 1, revoked: 1 });
  expect(await stateOf(service, a.token)).toBeUndefined();
});

it('accepts the token texts of other servers', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const texts = [
    '2f1c9a54-7d43-4a0b-9b53-0f6a0f0a1b2c',
    `ory_at_${'a'.repeat(43)}.${'b'.repeat(43)}`,
    'hX9/kT+4fZ0lM1qR8sVwYg==',
    'AB12CD34EF56AB12CD34EF',
    'f'.repeat(1_024),
  ];
  await imported(
    service.app,
    texts.map((token) => anImport(id, { token })),
  );
  for (const text of texts) expect(await stateOf(service, text), text).toMatchObject({ clientId: id });
});

it('keeps the same text apart as access token and as refresh token', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const refresh = anImport(id, { kind: 'refresh' });
  expect(await imported(service.app, [refresh])).toMatchObject({ stored: 1 });
  expect(await stateOf(service, refresh.token)).toBeUndefined();
  expect(await imported(service.app, [{ ...refresh, kind: 'access' }])).toMatchObject({ stored: 1 });
  expect(await stateOf(service, refresh.token)).toBeDefined();
});

it('takes up to 1,000 tokens in a request', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const tokens = Array.from({ length: 1_000 }, () => anImport(id, FACTS));
  expect(await imported(service.app, tokens)).toEqual({ stored: 1_000, unchanged: 0, revoked: 0 });
  expect(await imported(service.app, tokens)).toEqual({ stored: 0, unchanged: 1_000, revoked: 0 });
});

it('counts as a use of the client, which makes an open registration permanent', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const end = `UPDATE client SET origin = 'open_registration', expires_at = to_timestamp(${NOW + 3_600}), last_used_at = NULL`;
  const state = 'SELECT expires_at, extract(epoch FROM last_used_at)::int AS used FROM client';
  for (const use of [imported, importedLines]) {
    await service.sql(end);
    await use(service.app, [anImport(id)]);
    expect(await service.sql(state)).toEqual([{ expires_at: null, used: NOW }]);
  }
});

it('records what was imported as done with the master token, without tokens and end-users', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const tokens = [anImport(id), anImport(id, { kind: 'refresh' })];
  await imported(service.app, tokens);
  await imported(service.app, tokens);
  await importedLines(service.app, [anImport(id)]);
  expect(
    await service.sql(
      `SELECT actor, target, details FROM audit_event WHERE action = 'tokens.imported' ORDER BY id`,
    ),
  ).toEqual([
    { actor: 'master', target: 'tokens', details: { access_tokens: 1, refresh_tokens: 1 } },
    { actor: 'master', target: 'tokens', details: { access_tokens: 1, refresh_tokens: 0 } },
  ]);
});

it('stores no text of a token', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const tokens = [anImport(id), anImport(id, { kind: 'refresh' })];
  await imported(service.app, tokens);
  const rows = await service.sql(
    `SELECT row_to_json(t)::text AS text FROM access_token t UNION ALL SELECT row_to_json(t)::text FROM refresh_token t
     UNION ALL SELECT row_to_json(t)::text FROM imported_token t`,
  );
  expect(rows).toHaveLength(4);
  for (const { token } of tokens) expect(JSON.stringify(rows)).not.toContain(token);
});

it('leaves tokens that are issued here as they are', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const { access_token: own } = await issued(service.app, { client_id: id, scope: 'read' });
  const [result] = await importedLines(service.app, [anImport(id, { token: own, scope: 'admin' })]);
  expect(result).toMatchObject({ error_description: 'token: was issued by this server' });
  expect(await stateOf(service, own)).toMatchObject({ scope: 'read' });
});
