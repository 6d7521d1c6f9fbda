import type { Client } from '@vestibule/clients';
import { previousSecretAssociatedData } from '@vestibule/clients/associated-data';
import { secureRandom } from '@vestibule/crypto';
import { encryptJwt, secretEncryptionKey, signJwt } from '@vestibule/crypto/jwt';
import { activateSigningKey, addSigningKey, retireSigningKey } from '@vestibule/crypto/signing-keys';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { pairwiseSubjects } from '@vestibule/tokens/issuing';
import { importJWK, type JWK } from 'jose';
import { expect, it } from 'vitest';
import { aTestService, BACK, SECRET, type TestService } from '../support/test-service.js';
import { postDecision, titleOf, visit } from '../support/visit.js';

const PREVIOUS = 'Qn5WxZ1LkR8TyB3VcM7JpS2HdF6GaU9EiOo4tKrYwXb';

/** Two clients whose secrets were replaced: one has its ID tokens signed with our key, the other with its secret. */
async function createFixture() {
  const service = await aTestService();
  for (const [id, algorithm] of Object.entries({ es: 'ES256', hs: 'HS256' })) {
    const client = await service.register(id, {
      id_token_signed_response_alg: algorithm,
      backchannel_logout_uri: `https://${id}.example/back`,
    });
    await replaceSecret(service, client);
  }
  return service;
}

async function replaceSecret({ store, clock }: TestService, client: Client): Promise<void> {
  const { digester, encryptor, database } = store;
  const previousSecret = {
    digest: digester.digest('client-secret', PREVIOUS),
    encrypted: await encryptor.encrypt(PREVIOUS, previousSecretAssociatedData(client.id)),
    keptUntil: epochSeconds(nowSeconds(clock) + 86_400),
  };
  const isReplaced = await database.clients.replace({ client: { ...client, version: 2 }, previousSecret });
  expect(isReplaced).toBe(true);
}

/** Every way in which a hint may be encrypted. */
async function encryptions({ store }: TestService) {
  const published = store.providerKeys.publicJwks().keys.filter(({ use }) => use === 'enc');
  const toUs = published.map(async (jwk: JWK) => {
    const algorithm = jwk.alg === 'ECDH-ES' ? 'ECDH-ES' : 'RSA-OAEP-256';
    const key = await importJWK(jwk, algorithm);
    if (key instanceof Uint8Array) throw new TypeError('a public key is symmetric');
    const options = { key: { algorithm, kid: jwk.kid ?? '', key }, encryption: 'A256GCM' } as const;
    return [algorithm, (token: string) => encryptJwt(token, options)] as const;
  });
  const bySecret = [SECRET, PREVIOUS].map((secret, index) => {
    const options = {
      key: secretEncryptionKey(secret, 'dir', 'A128CBC-HS256'),
      encryption: 'A128CBC-HS256',
    } as const;
    return [`dir ${index}`, (token: string) => encryptJwt(token, options)] as const;
  });
  return new Map([
    ['none', async (token: string) => token] as const,
    ...(await Promise.all(toUs)),
    ...bySecret,
  ]);
}

/** The subject and `sid` of a hint, and whether that is the session of the browser. */
const NAMED = [
  ['alice', 'own', true],
  ['alice', 'none', true],
  ['alice', 'unknown', false],
  ['bob', 'none', false],
  ['bob', 'of bob', false],
  ['alice', 'of bob', false],
] as const;

const SIGNINGS = [
  { id: 'es', algorithm: 'ES256' },
  { id: 'hs', algorithm: 'HS256', clientSecret: SECRET },
  { id: 'hs', algorithm: 'HS256', clientSecret: PREVIOUS },
] as const;

it('ends only the session of this browser, whatever a valid hint names, and only after confirmation', async () => {
  const here = await createFixture();
  const { app, sql, logIn, idToken } = here;
  const bobs = await logIn(['es', 'hs'], 'bob');
  const alive = async () =>
    (await sql('SELECT subject FROM session ORDER BY subject')).map((row) => row['subject']);
  const ways = await encryptions(here);
  expect([...ways.keys()].sort()).toEqual(['ECDH-ES', 'RSA-OAEP-256', 'dir 0', 'dir 1', 'none']);
  const cases = [...ways].flatMap((way) =>
    SIGNINGS.flatMap((signing) => NAMED.map((named) => [way, signing, named] as const)),
  );
  for (const [[way, encrypt], { id, ...signing }, [subject, sidOf, isThis]] of cases) {
    const title = `${way}, ${JSON.stringify(signing)}, ${subject}, sid ${sidOf}`;
    const login = await logIn(['es', 'hs']);
    const sids = { own: login.sid(id), none: undefined, unknown: 'unknown-sid', 'of bob': bobs.sid(id) };
    const sessionId = sids[sidOf];
    const hint = await idToken(id, { subject, ...signing, ...(sessionId !== undefined && { sessionId }) });
    // The client whose secret encrypted the hint is found by the session if `client_id` is missing.
    const request = { id_token_hint: await encrypt(hint), post_logout_redirect_uri: BACK };
    const page = await visit(app, request, login);
    expect(titleOf(page), title).toBe(isThis ? 'Log out of as.example too?' : 'Log out of as.example?');
    expect(page.body.includes('This request is for a different account'), title).toBe(!isThis);
    expect(await alive(), title).toEqual(['alice', 'bob']);
    expect(await postDecision(app, page, 'accept', login), title).toMatchObject({
      status: 303,
      location: BACK,
    });
    expect(await alive(), title).toEqual(['bob']);
  }
  expect(await sql('SELECT DISTINCT subject FROM logout_delivery')).toEqual([{ subject: 'alice' }]);
});

it('ends nothing when an end-user declines after a hint for another session', async () => {
  const { app, sql, logIn, idToken } = await createFixture();
  const [login, bobs] = [await logIn(['es']), await logIn(['es'], 'bob')];
  const hint = await idToken('es', { subject: 'bob', sessionId: bobs.sid('es') });
  const page = await visit(app, { id_token_hint: hint }, login);
  expect(titleOf(await postDecision(app, page, 'decline', login))).toBe(
    'You’re still logged in to as.example',
  );
  expect(await sql('SELECT session_id FROM session_client')).toHaveLength(2);
  expect(await sql('SELECT id FROM logout_delivery')).toEqual([]);
});

it('accepts a hint of any age, under a retired key for as long as the key is kept', async () => {
  const { app, clock, idToken, store } = await createFixture();
  const request = {
    id_token_hint: await idToken('es', { lifetimeSeconds: 1 }),
    post_logout_redirect_uri: BACK,
  };
  const kid = store.providerKeys.signingKey('ES256').kid ?? '';
  const signing = { store: store.database.signingKeys, encryptor: store.encryptor, clock: store.clock };
  const next = await addSigningKey(signing, { keySet: 'provider', use: 'sig', algorithm: 'ES256' });
  await activateSigningKey(signing, {
    keySet: 'provider',
    kid: next.kid,
    publishedSeconds: 400_000_000,
    atOnce: true,
  });
  await store.providerKeys.refresh();
  clock.advanceSeconds(10 * 365 * 86_400);
  expect(await visit(app, request)).toMatchObject({ status: 303, location: BACK });
  await retireSigningKey(signing, { keySet: 'provider', kid, publishedSeconds: 0, atOnce: true });
  await store.providerKeys.refresh();
  expect(await visit(app, request)).toMatchObject({ status: 200, location: undefined });
});

it('recognizes an end-user by the pairwise subject of a client', async () => {
  const { app, register, logIn, idToken, store } = await aTestService();
  await register('p', {
    subject_type: 'pairwise',
    response_types: ['code'],
    redirect_uris: ['https://p.example/cb'],
  });
  const name = await pairwiseSubjects(store.database.providerRecords, secureRandom)('p.example', 'alice');
  const login = await logIn(['p']);
  const notice = async (subject: string) =>
    (await visit(app, { id_token_hint: await idToken('p', { subject }) }, login)).body.includes(
      'different account',
    );
  expect(await notice(name)).toBe(false);
  expect(await notice('alice')).toBe(true);
  expect(await notice('x')).toBe(true);
});

it('accepts a hint from its nbf on, with half a minute of clock skew', async () => {
  const { app, clock, idToken, store } = await createFixture();
  const [, body = ''] = (await idToken('es')).split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const key = store.providerKeys.signingKey('ES256');
  const hint = await signJwt({ key, typ: 'JWT', claims: { ...claims, nbf: nowSeconds(clock) + 60 } });
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK };
  clock.advanceSeconds(29);
  expect(await visit(app, request)).toMatchObject({ status: 200, location: undefined });
  clock.advanceSeconds(1);
  expect(await visit(app, request)).toMatchObject({ status: 303, location: BACK });
});

it('refuses a hint that is not an ID token of ours for a registered client', async () => {
  const here = await createFixture();
  const { app, store, idToken, register, clock, logIn } = here;
  await register('expired', {}, { expiresAt: epochSeconds(nowSeconds(clock)) });
  await register('pending', {}, { status: 'pending' });
  await register('other');
  const login = await logIn(['es']);
  const good = await idToken('es');
  const [head = '', body = '', signature = ''] = good.split('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()) };
  const key = store.providerKeys.signingKey('ES256');
  const signed = (changed: object, typ = 'JWT') => signJwt({ key, typ, claims: { ...claims, ...changed } });
  const ofUs = await encryptions(here);
  const bad: Readonly<Record<string, Record<string, string>>> = {
    unsigned: { id_token_hint: `${encode({ alg: 'none' })}.${body}.` },
    'signed with another key': { id_token_hint: `${head}.${body}.${signature.slice(4)}AAAA` },
    'changed claims': { id_token_hint: `${head}.${encode({ ...claims, sub: 'bob' })}.${signature}` },
    'another issuer': { id_token_hint: await signed({ iss: 'https://evil.example' }) },
    'an access token': { id_token_hint: await signed({}, 'at+jwt') },
    'an access token of the type of ID tokens': {
      id_token_hint: await signed({ client_id: 'es', jti: 'j' }),
    },
    'a logout token': { id_token_hint: await signed({}, 'logout+jwt') },
    'no audience': { id_token_hint: await signed({ aud: [] }) },
    'no subject': { id_token_hint: await signed({ sub: '' }) },
    'no times': { id_token_hint: await signed({ exp: 'x' }) },
    'not valid yet': { id_token_hint: await signed({ nbf: nowSeconds(clock) + 31 }) },
    'an nbf that is no number': { id_token_hint: await signed({ nbf: 'x' }) },
    'two audiences without azp': { id_token_hint: await signed({ aud: ['es', 'other'] }) },
    'another client_id': { id_token_hint: good, client_id: 'other' },
    'an unknown client_id': { id_token_hint: good, client_id: 'unknown-id' },
    'an unknown client': { id_token_hint: await idToken('unknown-id') },
    'an expired registration': { id_token_hint: await idToken('expired') },
    'a client that waits for approval': { id_token_hint: await idToken('pending') },
    'a secret where the client registered a key pair': {
      id_token_hint: await idToken('es', { algorithm: 'HS256', clientSecret: SECRET }),
    },
    'too long': { id_token_hint: `${good}${'A'.repeat(12_000)}` },
    'an encrypted text that is no token': { id_token_hint: (await ofUs.get('ECDH-ES')?.('nothing')) ?? '' },
    "a secret of another client's": {
      id_token_hint: (await ofUs.get('dir 1')?.(await idToken('es'))) ?? '',
      client_id: 'other',
    },
    'no token at all': { id_token_hint: 'x' },
  };
  for (const [name, request] of Object.entries(bad)) {
    const confirmationPage = { ...request, post_logout_redirect_uri: BACK };
    const page = await visit(app, confirmationPage, login);
    expect({ status: page.status, location: page.location }, name).toEqual({
      status: 200,
      location: undefined,
    });
    expect(page.body, name).toContain('couldn’t verify this request');
    const refused = await visit(app, confirmationPage);
    expect({ status: refused.status, location: refused.location }, name).toEqual({
      status: 200,
      location: undefined,
    });
  }
});

it('can still end the session of this browser after an invalid hint, and notifies no client when the end-user declines', async () => {
  const { app, sql, logIn } = await createFixture();
  const login = await logIn(['es']);
  const request = { id_token_hint: 'x', client_id: 'es', post_logout_redirect_uri: BACK };
  const declined = await postDecision(app, await visit(app, request, login), 'decline', login);
  expect(titleOf(declined)).toBe('You’re still logged in to as.example');
  expect(await sql('SELECT id FROM logout_delivery')).toEqual([]);
  const accepted = await postDecision(app, await visit(app, request, login), 'accept', login);
  expect({ title: titleOf(accepted), location: accepted.location }).toEqual({
    title: 'You’re logged out',
    location: undefined,
  });
});
