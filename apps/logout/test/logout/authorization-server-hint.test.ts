import { nowSeconds } from '@vestibule/protocol';
import { authorizationServerKeys } from '@vestibule/service';
import { signedBy, startJwksServer, TEST_KEYS } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { aTestService, BACK, ISSUER } from '../support/test-service.js';
import { postDecision, titleOf, visit } from '../support/visit.js';

const { es256, otherEs256, rs256 } = TEST_KEYS;
const ACCEPTED = { status: 303, location: BACK };
const REFUSED = { status: 200, location: undefined };

/** A logout service that accepts ID tokens of an authorization server, and one of its clients. */
async function aJoinedService() {
  const server = await startJwksServer(es256, rs256);
  onTestFinished(server.close);
  const AUTHORIZATION_SERVER_JWKS = { kind: 'url', url: new URL(server.url) } as const;
  const keys = authorizationServerKeys({ AUTHORIZATION_SERVER_JWKS, EGRESS_ALLOW_HOSTS: [] });
  if (keys === undefined) throw new TypeError('a location is set');
  const service = await aTestService({ deps: { authorizationServerKeys: keys } });
  await service.register('app');
  const claims = (changes: object = {}) => {
    const iat = nowSeconds(service.clock);
    return { iss: ISSUER, sub: 'alice', aud: 'app', iat, exp: iat + 600, ...changes };
  };
  /** Signs an ID token, and sends it with a browser without a session. */
  const visited = async (changes: object = {}, header: object = {}, key = es256) => {
    const id_token_hint = await signedBy(key, claims(changes), { typ: 'JWT', ...header });
    const { status, location } = await visit(service.app, { id_token_hint, post_logout_redirect_uri: BACK });
    return { status, location };
  };
  return { ...service, server, keys, claims, visited };
}

it('accepts a hint that the authorization server signed, of any age', async () => {
  const { visited, clock } = await aJoinedService();
  expect(await visited()).toEqual(ACCEPTED);
  expect(await visited({}, { typ: undefined })).toEqual(ACCEPTED);
  expect(await visited({}, {}, rs256)).toEqual(ACCEPTED);
  expect(await visited({ aud: ['app', 'other'], azp: 'app', nonce: 'n', typ: 'ID' })).toEqual(ACCEPTED);
  const exp = nowSeconds(clock) - 86_400;
  expect(await visited({ iat: exp - 600, exp })).toEqual(ACCEPTED);
});

it('ends the session that the hint names, after confirmation', async () => {
  const { app, claims, logIn, sql } = await aJoinedService();
  const login = await logIn(['app']);
  const hint = (changes: object) => signedBy(es256, claims(changes), { typ: 'JWT' });
  const page = async (changes: object) => {
    const request = { id_token_hint: await hint(changes), post_logout_redirect_uri: BACK };
    return visit(app, request, login);
  };
  for (const other of [{ sub: 'bob' }, { sid: 'unknown-sid' }])
    expect((await page(other)).body).toContain('This request is for a different account');
  const own = await page({ sid: login.sid('app') });
  expect(titleOf(own)).toBe('Log out of as.example too?');
  expect(await postDecision(app, own, 'accept', login)).toMatchObject(ACCEPTED);
  expect(await sql('SELECT id FROM session')).toEqual([]);
});

it('refuses a token of the authorization server that is not an ID token of ours for a registered client', async () => {
  const { visited, clock } = await aJoinedService();
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  for (const changes of [
    { iss: 'https://other.example' },
    { aud: 'unknown' },
    { aud: ['app', 'other'] },
    { sub: undefined },
    { exp: undefined },
    { nbf: nowSeconds(clock) + 31 },
    { client_id: 'app' },
    { events },
    ...['Bearer', 'DPoP', 'Refresh', 'Offline', 'Logout'].map((typ) => ({ typ })),
  ])
    expect(await visited(changes), JSON.stringify(changes)).toEqual(REFUSED);
  for (const typ of ['at+jwt', 'logout+jwt', 'token-introspection+jwt'])
    expect(await visited({}, { typ }), typ).toEqual(REFUSED);
  expect(await visited({}, { kid: es256.kid }, otherEs256)).toEqual(REFUSED);
  expect(await visited({}, { kid: undefined }, es256)).toEqual(ACCEPTED);
});

it('refuses a hint under a withdrawn key, and accepts one under a new key', async () => {
  const { visited, server, keys } = await aJoinedService();
  expect(await visited()).toEqual(ACCEPTED);
  server.publish(otherEs256);
  await keys.refresh();
  expect(await visited()).toEqual(REFUSED);
  expect(await visited({}, {}, otherEs256)).toEqual(ACCEPTED);
});

it('accepts hints of known keys and of ours while the server does not respond, and responds with 500 for others', async () => {
  const { app, visited, server, keys, idToken } = await aJoinedService();
  expect(await visited()).toEqual(ACCEPTED);
  await server.close();
  await keys.refresh();
  expect(await visited()).toEqual(ACCEPTED);
  expect(
    await visit(app, { id_token_hint: await idToken('app'), post_logout_redirect_uri: BACK }),
  ).toMatchObject(ACCEPTED);
  expect((await visited({}, {}, otherEs256)).status).toBe(500);
});

it('refuses every hint of the authorization server where its keys are not configured', async () => {
  const { app, register, clock } = await aTestService();
  await register('app');
  const iat = nowSeconds(clock);
  const claims = { iss: ISSUER, sub: 'alice', aud: 'app', iat, exp: iat + 600 };
  const id_token_hint = await signedBy(es256, claims, { typ: 'JWT' });
  expect(await visit(app, { id_token_hint, post_logout_redirect_uri: BACK })).toMatchObject(REFUSED);
});
