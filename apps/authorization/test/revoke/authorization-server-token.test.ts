import { nowSeconds } from '@vestibule/protocol';
import { authorizationServerKeys } from '@vestibule/service';
import { signedBy, startJwksServer, TEST_KEYS } from '@vestibule/testkit';
import { readLiveToken } from '@vestibule/tokens';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp, composeAuthorization } from '../../src/index.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { FAULT, NO_CONTENT, post } from '../support/calls.js';
import { postForm } from '../support/code-flow.js';

const { es256, otherEs256 } = TEST_KEYS;
const MACHINE = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [], scope: 'read' };

/** A server that accepts access tokens of another authorization server with its issuer. */
async function aJoinedServer() {
  const server = await startJwksServer(es256);
  onTestFinished(server.close);
  const service = await buildTestApp({}, false, true);
  const AUTHORIZATION_SERVER_JWKS = { kind: 'url', url: new URL(server.url) } as const;
  const { config, store } = service;
  const settings = { AUTHORIZATION_SERVER_JWKS, EGRESS_ALLOW_HOSTS: [] };
  const keys = authorizationServerKeys(settings, store.providerKeys);
  const deps = composeAuthorization(config, store, {
    authorizationServerKeys: keys,
    clock: service.deps.clock,
  });
  const app = buildApp(deps, { logger: false });
  onTestFinished(() => app.close());
  const { accessTokens, revocations } = store.database;
  const isLive = async (token: string) =>
    (await readLiveToken({ ...deps, accessTokens, revocations }, token)) !== undefined;
  const token = (clientId: string, jti: string, key = es256) => {
    const iat = nowSeconds(deps.clock);
    const claims = { iss: ISSUER, sub: 'alice', client_id: clientId, jti, iat, exp: iat + 600 };
    return signedBy(key, claims);
  };
  return { ...service, app, server, keys, isLive, token };
}

it('revokes an access token of the authorization server for the operator, and no other', async () => {
  const { app, register, token, isLive, sql } = await aJoinedServer();
  const { client_id: id } = await register(MACHINE);
  const [gone, kept] = [await token(id, 'one'), await token(id, 'two')];
  expect([await isLive(gone), await isLive(kept)]).toEqual([true, true]);
  expect(await post(app, '/direct-authz/revoke', { token: gone })).toEqual(NO_CONTENT);
  expect([await isLive(gone), await isLive(kept)]).toEqual([false, true]);
  expect(await sql('SELECT issuer, jti FROM revoked_token')).toEqual([{ issuer: ISSUER, jti: 'one' }]);
});

it('revokes an access token of the authorization server for its own client only', async () => {
  const { app, register, token, isLive } = await aJoinedServer();
  const [owner, other] = [await register(MACHINE), await register(MACHINE)];
  const text = await token(owner.client_id, 'one');
  expect((await postForm(app, '/token/revoke', other, { token: text })).status).toBe(200);
  expect(await isLive(text)).toBe(true);
  expect((await postForm(app, '/token/revoke', owner, { token: text })).status).toBe(200);
  expect(await isLive(text)).toBe(false);
});

it('responds with 500 rather than claim a revocation while the keys cannot be read', async () => {
  const { app, register, server, keys, token, sql } = await aJoinedServer();
  const { client_id: id } = await register(MACHINE);
  await server.close();
  await keys?.refresh();
  expect(await post(app, '/direct-authz/revoke', { token: await token(id, 'one', otherEs256) })).toEqual(
    FAULT,
  );
  expect(await sql('SELECT jti FROM revoked_token')).toEqual([]);
});
