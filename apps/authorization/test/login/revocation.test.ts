import { readLiveToken } from '@vestibule/tokens';
import { expect, it, onTestFinished } from 'vitest';
import { buildTestApp, ISSUER, type TestApp } from '../support/build-test-app.js';
import { issued, NO_CONTENT, post } from '../support/calls.js';
import { basicOf, type CodeClient, postForm, tokensOf } from '../support/code-flow.js';

const build = () => buildTestApp({}, false, true);
const MACHINE = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [], scope: 'read' };
const DONE = { status: 200, body: {}, headers: expect.objectContaining({ 'cache-control': 'no-store' }) };

const revoke = ({ app }: TestApp, client: CodeClient, form: Readonly<Record<string, string>>) =>
  postForm(app, '/token/revoke', client, form);

async function isLive({ deps, store }: TestApp, token: string): Promise<boolean> {
  const { accessTokens, revocations } = store.database;
  return (await readLiveToken({ ...deps, accessTokens, revocations }, token)) !== undefined;
}

/** A token of every kind for a client: issued directly and by a login, identifier-based and self-contained. */
async function tokensOfEveryKind(here: TestApp, client: CodeClient) {
  const { app, register } = here;
  const api = await register({ ...MACHINE, scope: `${ISSUER}/token/introspect` });
  const resource = `${ISSUER}/clients/${api.client_id}`;
  const direct = { client_id: client.client_id, sub: 'alice', scope: 'read' };
  return {
    'direct identifier': (await issued(app, direct)).access_token,
    'direct jwt': (await issued(app, { ...direct, format: 'jwt' })).access_token,
    'login identifier': (await tokensOf(app, client)).body.access_token as string,
    'login jwt': (await tokensOf(app, client, { resource })).body.access_token as string,
  };
}

it('revokes every kind of access token for its own client, and reveals nothing to other clients', async () => {
  const here = await build();
  const client = await here.register({ grant_types: ['authorization_code'] });
  const other = await here.register(MACHINE);
  const tokens = await tokensOfEveryKind(here, client);
  expect(Object.entries(tokens).map(([kind, text]) => kind.includes('jwt') === text.includes('.'))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  for (const [kind, token] of Object.entries(tokens)) {
    for (const form of [{ token }, { token, token_type_hint: 'refresh_token' }])
      expect(await revoke(here, other, form), kind).toEqual(DONE);
    expect(await isLive(here, token), kind).toBe(true);
    expect(await revoke(here, client, { token }), kind).toEqual(DONE);
    expect(await isLive(here, token), kind).toBe(false);
    expect(await revoke(here, client, { token }), kind).toEqual(DONE);
  }
  expect(here.problems).toEqual([]);
});

it('revokes nothing for a client that is not authenticated', async () => {
  const here = await build();
  const client = await here.register({ grant_types: ['authorization_code'] });
  for (const [kind, token] of Object.entries(await tokensOfEveryKind(here, client))) {
    for (const impostor of [{ ...client, client_secret: 'wrong' }, { client_id: client.client_id }])
      expect((await revoke(here, impostor, { token })).status, kind).toBe(401);
    expect(await isLive(here, token), kind).toBe(true);
  }
});

it('responds with 200 for an unknown token, and refuses a request without one', async () => {
  const here = await build();
  const client = await here.register(MACHINE);
  for (const token of ['x', 'x'.repeat(43), 'e30.e30.e30', 'eyJhbGciOiJub25lIn0.e30.', 'a b'])
    expect(await revoke(here, client, { token }), token).toEqual(DONE);
  for (const form of [{}, { token: '' }])
    expect(await revoke(here, client, form)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
});

it('responds with 500 if the revocation cannot be stored', async () => {
  const here = await build();
  const client = await here.register(MACHINE);
  const { access_token: token } = await issued(here.app, {
    client_id: client.client_id,
    scope: 'read',
    format: 'jwt',
  });
  await here.sql('ALTER TABLE revoked_token RENAME TO hidden');
  onTestFinished(async () => void (await here.sql('ALTER TABLE hidden RENAME TO revoked_token')));
  const response = await here.app.inject({
    method: 'POST',
    url: '/token/revoke',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basicOf(client) },
    payload: new URLSearchParams({ token }).toString(),
  });
  expect(response.statusCode).toBe(500);
  expect(here.problems).toHaveLength(1);
});

const PAIRWISE = { grant_types: ['authorization_code', 'refresh_token'], subject_type: 'pairwise' };

it('revokes the self-contained tokens of a login also by end-user and by refresh token', async () => {
  const here = await build();
  const api = await here.register({ ...MACHINE, scope: `${ISSUER}/token/introspect` });
  const client = await here.register(PAIRWISE);
  const login = async () => {
    const { body } = await tokensOf(here.app, client, { resource: `${ISSUER}/clients/${api.client_id}` });
    return { jwt: String(body.access_token), refreshToken: String(body.refresh_token) };
  };
  const other = await login();
  for (const what of ['sub', 'token']) {
    const { jwt, refreshToken } = await login();
    expect(await isLive(here, jwt), what).toBe(true);
    const body = what === 'sub' ? { sub: 'alice' } : { token: refreshToken };
    expect(await post(here.app, '/direct-authz/revoke', body), what).toEqual(NO_CONTENT);
    expect(await isLive(here, jwt), what).toBe(false);
  }
  expect(await isLive(here, other.jwt)).toBe(false);
  expect(await here.sql(`SELECT FROM artifact WHERE kind = 'SelfContainedToken'`)).toEqual([]);
});
