import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { buildTestApp, ISSUER, NOW } from '../support/build-test-app.js';
import { issued, JSON_HEADERS, post } from '../support/calls.js';
import { verified } from '../support/key-set.js';

/** Every member of a request for a token for an end-user. */
const EVERYTHING = {
  sub: 'alice',
  username: 'alice@example.com',
  scope: 'read write',
  aud: ['rs1', 'https://rs2.example'],
  expires_in: 3_600,
  nbf: NOW + 5,
  cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' },
  act: { sub: 'support' },
  dat: { tenant: 7, nested: { list: [1, null] } },
  claims: { email: 'alice@example.com', 'https://claims.example/role': ['admin'] },
  sid: 'session-1',
};

/** The stored or signed state of a token with all of these members. */
const STATE = {
  scope: 'read write',
  audience: ['rs1', 'https://rs2.example'],
  issuer: ISSUER,
  issuedAt: NOW,
  notBefore: NOW + 5,
  expiresAt: NOW + 3_600,
  subject: 'alice',
  username: 'alice@example.com',
  confirmation: EVERYTHING.cnf,
  actor: EVERYTHING.act,
  data: EVERYTHING.dat,
  claims: EVERYTHING.claims,
  sessionId: 'session-1',
};

describe('POST /direct-authz for an identifier-based token', () => {
  it('is the default, active at once and stored as a digest', async () => {
    const { app, register, store } = await buildTestApp();
    const { client_id: id } = await register();
    const response = await post(app, '/direct-authz', { client_id: id, scope: 'read' });
    const { access_token: token } = JSON.parse(response.body);
    expect(token).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(response).toEqual({
      status: 200,
      headers: JSON_HEADERS,
      body: JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 600, scope: 'read' }),
    });
    const stored = await store.database.accessTokens.find(
      store.digester.availableDigests('access-token', token),
    );
    expect(stored).toEqual({
      clientId: id,
      scope: 'read',
      audience: [],
      issuer: ISSUER,
      issuedAt: NOW,
      expiresAt: NOW + 600,
    });
  });

  it('keeps every member of the request, and the token itself nowhere', async () => {
    const { app, register, store, sql } = await buildTestApp();
    const { client_id: id } = await register();
    const response = await issued(app, { ...EVERYTHING, client_id: id, format: 'identifier' });
    const { access_token: token, ...rest } = response;
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3_600, scope: 'read write' });
    const found = await store.database.accessTokens.find(
      store.digester.availableDigests('access-token', token),
    );
    expect(found).toEqual({ clientId: id, ...STATE });
    const [row] = await sql('SELECT access_token::text AS everything FROM access_token');
    expect(row?.['everything']).not.toContain(token);
    expect(row?.['everything']).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('has the configured length and lifetime', async () => {
    const { app, register } = await buildTestApp({
      ACCESS_TOKEN_LENGTH: '64',
      ACCESS_TOKEN_LIFETIME_SECONDS: '60',
    });
    const { client_id: id } = await register();
    const response = await issued(app, { client_id: id, scope: '' });
    expect(response).toMatchObject({
      access_token: expect.stringMatching(/^\w{64}$/),
      expires_in: 60,
      scope: '',
    });
  });

  it('accepts clients whose identifier is a URL, and counts repeated values once', async () => {
    const { app, register, store } = await buildTestApp();
    const { client_id: plain } = await register();
    const client = await store.database.clients.find(plain);
    const id = 'https://rp.example/path' as typeof plain;
    if (client) await store.database.clients.create({ ...client, id });
    const response = await issued(app, { client_id: id, scope: 'a b a', aud: ['x', 'x'] });
    expect(response.scope).toBe('a b');
    const digests = store.digester.availableDigests('access-token', response.access_token);
    expect(await store.database.accessTokens.find(digests)).toMatchObject({ clientId: id, audience: ['x'] });
  });

  it('has the type DPoP if it is bound to a proof key (RFC 9449 section 6)', async () => {
    const { app, register } = await buildTestApp();
    const { client_id: id } = await register();
    for (const format of ['identifier', 'jwt']) {
      const response = await issued(app, {
        client_id: id,
        scope: 'read',
        format,
        cnf: { jkt: 'thumbprint' },
      });
      expect(response.token_type).toBe('DPoP');
    }
  });
});

describe('POST /direct-authz for a self-contained token', () => {
  it('signs every member of the request in the profile of RFC 9068', async () => {
    const { app, register } = await buildTestApp();
    const { client_id: id } = await register();
    const response = await issued(app, { ...EVERYTHING, client_id: id, format: 'jwt' });
    expect(response).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'read write',
    });
    const currentDate = new Date((NOW + 5) * 1000);
    const { payload, protectedHeader } = await verified(app, response.access_token, {
      typ: 'at+jwt',
      currentDate,
    });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(payload).toEqual({
      iss: ISSUER,
      sub: 'alice',
      client_id: id,
      aud: EVERYTHING.aud,
      scope: 'read write',
      iat: NOW,
      iat_clock: 'store',
      nbf: NOW + 5,
      exp: NOW + 3_600,
      jti: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
      cnf: EVERYTHING.cnf,
      act: EVERYTHING.act,
      dat: EVERYTHING.dat,
      username: 'alice@example.com',
      sid: 'session-1',
      ...EVERYTHING.claims,
    });
  });

  it('is about the client if there is no end-user, and has no audience if none is given', async () => {
    const { app, register } = await buildTestApp();
    const { client_id: id } = await register();
    const response = await issued(app, { client_id: id, scope: 'read', format: 'jwt' });
    const { payload } = await verified(app, response.access_token);
    expect(payload).toEqual({
      iss: ISSUER,
      sub: id,
      client_id: id,
      scope: 'read',
      iat: NOW,
      iat_clock: 'store',
      exp: NOW + 600,
      jti: expect.any(String),
    });
  });

  it.each(['RS256', 'PS256', 'EdDSA'])('is signed with %s if configured', async (algorithm) => {
    const { app, register } = await buildTestApp({
      SIGNING_ALGORITHMS: algorithm,
      ACCESS_TOKEN_SIGNING_ALG: algorithm,
    });
    const { client_id: id } = await register();
    const response = await issued(app, { client_id: id, scope: 'openid', sub: 'alice', format: 'jwt' });
    for (const jwt of [response.access_token, response.id_token ?? ''])
      expect((await verified(app, jwt)).protectedHeader.alg).toBe(algorithm);
  });

  it('is not stored', async () => {
    const { app, register, sql } = await buildTestApp();
    const { client_id: id } = await register();
    await issued(app, { client_id: id, scope: 'read', format: 'jwt' });
    expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 0 }]);
  });
});

it('accepts every JSON value that can be stored, and returns it unchanged', async () => {
  const { app, register, store } = await buildTestApp();
  const { client_id: id } = await register();
  const dat: JsonObject = {
    numbers: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 5e-324, 0.1],
    texts: ['\uFFFE', '\u{10FFFF}', '', 'x'.repeat(16_000)],
    constructor: 'acme',
    '': null,
  };
  const { access_token: token } = await issued(app, { client_id: id, scope: 'read', dat });
  const found = await store.database.accessTokens.find(
    store.digester.availableDigests('access-token', token),
  );
  expect(found?.data).toEqual(dat);
});
