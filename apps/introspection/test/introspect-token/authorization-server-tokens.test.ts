import { createHmac, createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signJwt } from '@vestibule/crypto/jwt';
import { activateSigningKey, addSigningKey } from '@vestibule/crypto/signing-keys';
import { foreignSql } from '@vestibule/local-services/testing';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { type JwksServer, type KeyFixture, signedBy, startJwksServer, TEST_KEYS } from '@vestibule/testkit';
import { expect, it, onTestFinished, vi } from 'vitest';
import { aCachedInstance, aTimedService, type CachedInstance } from '../support/cached-instance.js';
import { activeMembers, basic, call, INACTIVE } from '../support/introspection-call.js';
import { REVOCATION_PATHS } from '../support/revocation-paths.js';
import { CLIENT, ENDPOINT, ISSUER, type TestService } from '../support/test-service.js';

const { es256, otherEs256, rs256 } = TEST_KEYS;

/** An authorization server that publishes keys, and instances that accept its tokens. */
async function aJoinedService(...published: readonly KeyFixture[]) {
  const service = await aTimedService();
  const server = await startJwksServer(...published);
  onTestFinished(server.close);
  return { service, server, instance: await joined(service, server) };
}

const joined = (service: Parameters<typeof aCachedInstance>[0], { url }: JwksServer) =>
  aCachedInstance(service, { environment: { AUTHORIZATION_SERVER_JWKS: url } });

function claims(changes: object = {}) {
  const iat = nowSeconds(systemClock);
  const all = { iss: ISSUER, sub: 'alice', client_id: CLIENT, aud: 'rs1', jti: 'j1', scope: 'read' };
  return { ...all, iat, exp: iat + 600, ...changes };
}

const introspect = ({ app }: CachedInstance, token: string) => call(app, { token });

const refresh = ({ authorizationServerKeys }: CachedInstance) => authorizationServerKeys?.refresh();

it('accepts an access token of the authorization server, and caches it like one of ours', async () => {
  const { service, server, instance } = await aJoinedService(es256, rs256);
  await service.register('rs2');
  for (const key of [es256, rs256]) {
    const token = await signedBy(key, claims());
    for (let round = 0; round < 3; round += 1)
      expect(activeMembers(await introspect(instance, token))).toMatchObject({ sub: 'alice', aud: ['rs1'] });
    expect(await call(instance.app, { token }, { authorization: basic('rs2') })).toEqual(INACTIVE);
  }
  expect(instance.cache.states.counters.memoryHits).toBeGreaterThanOrEqual(4);
  expect(server.requests()).toBe(1);
});

it('accepts it as the credential of a caller, like one of ours', async () => {
  const { service, instance } = await aJoinedService(es256);
  const authorization = `Bearer ${await signedBy(es256, claims({ client_id: 'rs1', aud: ISSUER, scope: ENDPOINT }))}`;
  activeMembers(await call(instance.app, { token: await service.identifier() }, { authorization }));
});

it('does not accept a token of another issuer, of an unregistered client, or without configuration', async () => {
  const { service, instance } = await aJoinedService(es256);
  for (const changes of [{ iss: 'https://other.example' }, { iss: `${ISSUER}/` }, { client_id: 'unknown' }])
    expect(await introspect(instance, await signedBy(es256, claims(changes)))).toEqual(INACTIVE);
  const alone = await aCachedInstance(service);
  expect(await introspect(alone, await signedBy(es256, claims()))).toEqual(INACTIVE);
});

it('follows a rotation, and stops accepting the tokens of a withdrawn key, cached ones too', async () => {
  const { service, server, instance } = await aJoinedService(es256);
  const [own, before] = [await service.jwt(), await signedBy(es256, claims())];
  for (const token of [own, before]) activeMembers(await introspect(instance, token));
  server.publish(es256, otherEs256);
  await refresh(instance);
  const after = await signedBy(otherEs256, claims({ jti: 'j2' }));
  for (const token of [own, before, after]) activeMembers(await introspect(instance, token));
  server.publish(otherEs256);
  await refresh(instance);
  expect(await introspect(instance, before)).toEqual(INACTIVE);
  for (const token of [own, after]) activeMembers(await introspect(instance, token));
});

/** Replaces our key, which verifies nothing any more, as an operator does after a compromise. */
async function replaceOurKey({ database: { signingKeys: store }, keys: { encryptor }, clock }: TestService) {
  const purpose = { keySet: 'provider', use: 'sig', algorithm: 'ES256' } as const;
  const signing = { store, encryptor, clock };
  const { kid } = await addSigningKey(signing, purpose);
  await activateSigningKey(signing, { keySet: 'provider', kid, publishedSeconds: 0, atOnce: true });
}

it('does not accept a token under a withdrawn key of ours, although the authorization server still publishes copies of it', async () => {
  const { service, server, instance } = await aJoinedService(es256);
  const other = await joined(service, server);
  const ours = service.keys.keyRing.signingKey('ES256');
  const publicJwk = service.keys.keyRing.publicJwks().keys.find(({ kid }) => kid === ours.kid);
  server.publish(es256, { publicJwk: { ...publicJwk } }, { publicJwk: { ...publicJwk, kid: 'copy' } });
  for (const each of [instance, other]) await refresh(each);
  const stolen = (jti: string, kid = ours.kid) =>
    signJwt({ key: { ...ours, ...(kid && { kid }) }, typ: 'at+jwt', claims: claims({ jti }) });
  const own = await stolen('j1');
  const theirs = await signedBy(es256, claims({ jti: 'j2' }));
  for (const token of [own, theirs]) activeMembers(await introspect(instance, token));
  expect(await introspect(instance, await stolen('j3', 'copy'))).toEqual(INACTIVE);
  await replaceOurKey(service);
  const expectRefused = async () => {
    for (const each of [instance, other])
      for (const token of [own, await stolen('j4'), await stolen('j5', 'copy')])
        await vi.waitFor(async () => expect(await introspect(each, token)).toEqual(INACTIVE), {
          timeout: 60_000,
          interval: 5,
        });
  };
  await expectRefused();
  const { signing_key: deleted } = await service.database.cleanUp({ now: nowSeconds(service.clock) });
  expect(deleted).toBe(1);
  await service.keys.keyRing.refresh();
  for (const each of [instance, other]) await refresh(each);
  await expectRefused();
  activeMembers(await introspect(instance, theirs));
});

it('keeps accepting tokens of known keys while the server does not respond, and responds with 500 for unknown keys', async () => {
  const { service, server, instance } = await aJoinedService(es256);
  const tokens = await Promise.all(['j1', 'j2'].map((jti) => signedBy(es256, claims({ jti }))));
  activeMembers(await introspect(instance, tokens[0] ?? ''));
  await server.close();
  await refresh(instance);
  for (const token of tokens) activeMembers(await introspect(instance, token));
  const unknown = await signedBy(otherEs256, claims());
  expect((await introspect(instance, unknown)).status).toBe(500);
  for (const token of [await service.identifier(), await service.jwt()])
    activeMembers(await introspect(instance, token));
});

it('accepts no token that was signed with another key, algorithm or key in its header', async () => {
  const { service, instance } = await aJoinedService(es256, rs256);
  const all = claims();
  const publicKey = createPublicKey({ key: { ...rs256.publicJwk }, format: 'jwk' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const secrets = [String(pem), JSON.stringify(rs256.publicJwk), rs256.publicJwk.n ?? ''];
  const confused = secrets.map((secret) => {
    const input = `${encoded({ alg: 'HS256', kid: rs256.kid, typ: 'at+jwt' })}.${encoded(all)}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  });
  const good = await signedBy(es256, all);
  const [, payload = '', signature = ''] = good.split('.');
  const relabelled = [
    { alg: 'none', kid: es256.kid },
    { alg: 'RS256', kid: es256.kid },
    { alg: 'ES256', kid: rs256.kid },
    { alg: 'ES256', kid: es256.kid, crit: ['b64'], b64: false },
  ].map((header) => `${encoded({ typ: 'at+jwt', ...header })}.${payload}.${signature}`);
  const ourKid = service.keys.keyRing.signingKey('ES256').kid;
  const forged = [
    ...confused,
    ...relabelled,
    await signedBy(otherEs256, all, { kid: es256.kid }),
    await signedBy(otherEs256, all, { kid: ourKid }),
    await signedBy(otherEs256, all, { jwk: otherEs256.publicJwk }),
    await signedBy(otherEs256, all, { jku: 'https://evil.example/jwks' }),
    await signedBy(rs256, all, { alg: 'PS256' }),
    await signedBy(rs256, all, { alg: 'RS512' }),
  ];
  activeMembers(await introspect(instance, good));
  for (const token of forged) expect(await introspect(instance, token), token).toEqual(INACTIVE);
});

it.each(REVOCATION_PATHS.filter(({ formats }) => formats.includes('jwt')))(
  'is inactive on every instance when it is revoked by $name',
  async (path) => {
    const { service, server, instance } = await aJoinedService(es256);
    const instances = [instance, await joined(service, server)];
    const sql = await foreignSql(service.databaseUrl);
    const name = 'separate';
    await service.register(name, { scope: 'read' });
    const token = await signedBy(
      es256,
      claims({ client_id: name, sub: `subject-${name}`, sid: `session-${name}` }),
    );
    for (const each of instances) activeMembers(await introspect(each, token));
    const { authorizationServerKeys } = instance;
    if (authorizationServerKeys === undefined) throw new TypeError('the instance has no such keys');
    const revocationDeps = { ...service.revocationDeps, authorizationServerKeys };
    await path.revoke({ service: { ...service, revocationDeps }, sql }, { name, token, format: 'jwt' });
    for (const each of instances)
      await vi.waitFor(async () => expect(await introspect(each, token)).toEqual(INACTIVE), {
        timeout: 60_000,
        interval: 5,
      });
  },
);

it('reads the keys from a file, again after it was replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-jwks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'jwks.json');
  const write = (key: KeyFixture) => writeFileSync(path, JSON.stringify({ keys: [key.publicJwk] }));
  write(es256);
  const service = await aTimedService();
  const instance = await aCachedInstance(service, { environment: { AUTHORIZATION_SERVER_JWKS: path } });
  const [before, after] = [await signedBy(es256, claims()), await signedBy(otherEs256, claims())];
  activeMembers(await introspect(instance, before));
  write(otherEs256);
  await refresh(instance);
  expect(await introspect(instance, before)).toEqual(INACTIVE);
  activeMembers(await introspect(instance, after));
});
