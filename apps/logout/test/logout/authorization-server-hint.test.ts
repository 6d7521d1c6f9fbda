import { signJwt } from '@vestibule/crypto/jwt';
import { activateSigningKey, addSigningKey } from '@vestibule/crypto/signing-keys';
import type { Store } from '@vestibule/database';
import { nowSeconds } from '@vestibule/protocol';
import { authorizationServerKeys } from '@vestibule/service';
import { signedBy, startJwksServer, TEST_KEYS } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/index.js';
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
  const service = await aTestService();
  const settings = { AUTHORIZATION_SERVER_JWKS, EGRESS_ALLOW_HOSTS: [] };
  const keys = authorizationServerKeys(settings, service.store.providerKeys);
  if (keys === undefined) throw new TypeError('a location is set');
  const app = buildApp({ ...service.deps, authorizationServerKeys: keys }, { logger: false });
  onTestFinished(() => app.close());
  await service.register('app');
  const claims = (changes: object = {}) => {
    const iat = nowSeconds(service.clock);
    return { iss: ISSUER, sub: 'alice', aud: 'app', iat, exp: iat + 600, ...changes };
  };
  /** Sends a hint with a browser without a session. */
  const sent = async (id_token_hint: string) => {
    const { status, location } = await visit(app, { id_token_hint, post_logout_redirect_uri: BACK });
    return { status, location };
  };
  /** Signs an ID token, and sends it. */
  const visited = async (changes: object = {}, header: object = {}, key = es256) =>
    sent(await signedBy(key, claims(changes), { typ: 'JWT', ...header }));
  return { ...service, app, server, keys, claims, sent, visited };
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
  expect(await visited({}, { kid: es256.kid }, otherEs256)).toEqual(REFUSED);
  expect(await visited({}, { kid: undefined }, es256)).toEqual(ACCEPTED);
});

/** Values of the header `typ` of tokens that are no ID tokens. */
const OTHER_TYPES = [
  'at+jwt',
  'iat+jwt',
  'rt+jwt',
  'refresh+jwt',
  'refresh',
  'Refresh',
  'logout+jwt',
  'secevent+jwt',
  'token-introspection+jwt',
  'oauth-authz-req+jwt',
  'client-authentication+jwt',
  'entity-statement+jwt',
  'dpop+jwt',
  'jwt+jwt',
  'Bearer',
  'ID',
  'null',
  ' JWT',
  '',
  'application/',
  'application/application/jwt',
  'text/jwt',
];

it('knows an ID token by its header, and refuses a hint of every other type, of both servers', async () => {
  const { visited, sent, claims, store } = await aJoinedService();
  const own = async (typ: string) =>
    sent(await signJwt({ key: store.providerKeys.signingKey('ES256'), typ, claims: { ...claims() } }));
  for (const typ of ['JWT', 'jwt', 'Jwt', 'application/jwt', 'application/JWT', 'APPLICATION/Jwt'])
    expect([await own(typ), await visited({}, { typ })], typ).toEqual([ACCEPTED, ACCEPTED]);
  for (const typ of OTHER_TYPES)
    for (const spelling of [typ, typ.toUpperCase(), `application/${typ}`, `APPLICATION/${typ}`])
      expect([await own(spelling), await visited({}, { typ: spelling })], spelling).toEqual([
        REFUSED,
        REFUSED,
      ]);
  for (const typ of [null, 5, ['JWT'], {}]) expect(await visited({}, { typ }), String(typ)).toEqual(REFUSED);
});

/** Replaces our key, which verifies nothing any more, as an operator does after a compromise. */
async function replaceOurKey({ database, encryptor, clock, providerKeys }: Store): Promise<void> {
  const signing = { store: database.signingKeys, encryptor, clock };
  const { kid } = await addSigningKey(signing, { keySet: 'provider', use: 'sig', algorithm: 'ES256' });
  await activateSigningKey(signing, { keySet: 'provider', kid, publishedSeconds: 0, atOnce: true });
  await providerKeys.refresh();
}

it('refuses a hint under a withdrawn key of ours, although the authorization server still publishes copies of it', async () => {
  const { visited, sent, claims, server, keys, store } = await aJoinedService();
  const ours = store.providerKeys.signingKey('ES256');
  const publicJwk = store.providerKeys.publicJwks().keys.find(({ kid }) => kid === ours.kid);
  server.publish(es256, { publicJwk: { ...publicJwk } }, { publicJwk: { ...publicJwk, kid: 'copy' } });
  await keys.refresh();
  const stolen = (kid: string) => signJwt({ key: { ...ours, kid }, typ: 'JWT', claims: { ...claims() } });
  const [own, copy] = [await stolen(ours.kid ?? ''), await stolen('copy')];
  expect([await sent(own), await sent(copy), await visited()]).toEqual([ACCEPTED, REFUSED, ACCEPTED]);
  await replaceOurKey(store);
  expect([await sent(own), await sent(copy), await visited()]).toEqual([REFUSED, REFUSED, ACCEPTED]);
  const { signing_key: deleted } = await store.database.cleanUp({ now: nowSeconds(store.clock) });
  expect(deleted).toBe(1);
  await store.providerKeys.refresh();
  await keys.refresh();
  expect([await sent(own), await sent(copy), await visited()]).toEqual([REFUSED, REFUSED, ACCEPTED]);
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
