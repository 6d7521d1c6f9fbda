import { X509Certificate } from 'node:crypto';
import { aCertificate } from '@vestibule/client-auth/testing';
import { secretHashAssociatedData } from '@vestibule/clients/associated-data';
import { foreignSql } from '@vestibule/local-services/testing';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import { describe, expect, it, vi } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { information, JSON_HEADERS, pathOf, registered, type Seen, send } from '../support/calls.js';
import { aKeyPair, claimsOf, inPem, keyed, signed, verify, withMethod } from '../support/credentials.js';

const result = (body: object): Seen => ({ status: 200, headers: JSON_HEADERS, body: JSON.stringify(body) });
const valid = (method: string) => result({ valid: true, method });
const INVALID = result({ valid: false });
const explained = (description: string) => result({ valid: false, error_description: description });

const SELF_SIGNED = 'self_signed_tls_client_auth';

/** The JWK set of a client with a self-signed certificate. */
const certificateSet = (der: Buffer) => ({
  keys: [{ ...new X509Certificate(der).publicKey.export({ format: 'jwk' }), x5c: [der.toString('base64')] }],
});

describe('a credential of the client', () => {
  it('is valid if it belongs to the registered method, which the response names', async () => {
    const service = await buildTestApp();
    const { app } = service;
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const { client_id: id, client_secret } = await withMethod(app, method);
      expect(await verify(app, id, { client_secret })).toEqual(valid(method));
    }
    const { client_id: id, client_secret: secret = '' } = await withMethod(app, 'client_secret_jwt');
    expect(await verify(app, id, { client_assertion: keyed(secret, claimsOf(service, id)) })).toEqual(
      valid('client_secret_jwt'),
    );
    const { privateKey, jwks } = aKeyPair();
    const { client_id: own } = await withMethod(app, 'private_key_jwt', { jwks });
    const assertion = await signed(privateKey, claimsOf(service, own));
    expect(
      await verify(app, own, {
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      }),
    ).toEqual(valid('private_key_jwt'));
  });

  it('is not valid any longer as soon as the client is blocked, before it is deleted', async () => {
    const { app, store, clock } = await buildTestApp();
    const client = await registered(app, { software_id: 'bad' });
    const { client_id: id, client_secret } = client;
    expect(await verify(app, id, { client_secret })).toEqual(valid('client_secret_basic'));
    const change = { actor: 'operator:jane', now: nowSeconds(clock) } as const;
    await store.database.clientBlocks.add([{ kind: 'software_id', value: 'bad' }], undefined, change);
    expect(await verify(app, id, { client_secret })).toEqual(INVALID);
  });

  it('is valid as a certificate, if the method needs no authority or the chain was verified', async () => {
    const { app } = await buildTestApp();
    const der = aCertificate();
    const certificate = inPem(der);
    const { client_id: pinned } = await withMethod(app, SELF_SIGNED, { jwks: certificateSet(der) });
    expect(await verify(app, pinned, { certificate })).toEqual(valid(SELF_SIGNED));
    expect(await verify(app, pinned, { certificate: inPem(aCertificate()) })).toEqual(INVALID);
    const { client_id: named } = await withMethod(app, 'tls_client_auth', {
      tls_client_auth_subject_dn: 'CN=client',
    });
    expect(await verify(app, named, { certificate, certificate_verified: true })).toEqual(
      valid('tls_client_auth'),
    );
    for (const unverified of [{}, { certificate_verified: false }])
      expect(await verify(app, named, { certificate, ...unverified })).toEqual(INVALID);
  });

  it('counts as a use of the client, and an invalid one does not', async () => {
    const { app, clock, stored } = await buildTestApp();
    const [used, other] = [await registered(app), await registered(app)];
    await verify(app, other.client_id, { client_secret: 'wrong' });
    await verify(app, used.client_id, { client_secret: used.client_secret });
    const lastUse = async (id: string) => (await stored(id))?.lastUsedAt;
    const now = Math.floor(clock.nowMs() / 1_000);
    await vi.waitFor(async () => expect(await lastUse(used.client_id)).toBe(now), { timeout: 60_000 });
    expect(await lastUse(other.client_id)).toBeUndefined();
  });

  it('is valid under a replaced secret within its overlap, and no longer', async () => {
    const { app, clock } = await buildTestApp({ CLIENT_SECRET_OVERLAP_SECONDS: '60' });
    const { client_id: id, client_secret: before } = await registered(app);
    const { client_secret: after } = information(
      await send(app, `POST ${pathOf(id)}/secret`, { token: MASTER }),
    );
    for (const client_secret of [before, after])
      expect(await verify(app, id, { client_secret })).toEqual(valid('client_secret_basic'));
    clock.advanceSeconds(60);
    expect(await verify(app, id, { client_secret: before })).toEqual(INVALID);
    expect(await verify(app, id, { client_secret: after })).toEqual(valid('client_secret_basic'));
  });

  it('is valid under an imported hash, which becomes a secret of the client', async () => {
    const { app, store, databaseUrl, stored } = await buildTestApp();
    const { client_id: id } = await registered(app);
    // Of `hunter2`.
    const hash = '$2b$04$VMhI7ZihcyUX/0/I5nZBpe.JbUtf9PQfU1t5/YudeSFmxEfSyZPJ6';
    const sql = await foreignSql(databaseUrl);
    await sql(
      `UPDATE client SET secret_digest = NULL, secret_sealed = NULL, secret_hash_sealed = $1, version = version + 1`,
      [await store.encryptor.encrypt(hash, secretHashAssociatedData(id as ClientId))],
    );
    expect(await verify(app, id, { client_secret: 'hunter3' })).toEqual(INVALID);
    expect((await stored(id))?.secretHash).toBeDefined();
    for (let round = 0; round < 2; round += 1)
      expect(await verify(app, id, { client_secret: 'hunter2' })).toEqual(valid('client_secret_basic'));
    const { secret, secretHash } = (await stored(id)) ?? {};
    expect([secret !== undefined, secretHash]).toEqual([true, undefined]);
  });
});

describe('an invalid credential', () => {
  it('gets the same response for every reason that depends on the client', async () => {
    const service = await buildTestApp();
    const { app, databaseUrl } = service;
    const sql = await foreignSql(databaseUrl);
    const client = await registered(app);
    const other = await registered(app);
    const { client_id: id, client_secret } = client;
    const { privateKey, jwks } = aKeyPair();
    const { client_id: keyHolder } = await withMethod(app, 'private_key_jwt', { jwks });
    const foreignKey = aKeyPair();
    const unknown = 'unknown'.repeat(3);
    const cases: [string, unknown][] = [
      [id, { client_secret: other.client_secret }],
      [id, { client_secret: '' }],
      [id, { client_secret: client_secret?.toLowerCase() }],
      [id, { client_secret: 'a\u0000b\ud800' }],
      [id, { client_secret: 'x'.repeat(10_000) }],
      [id, { certificate: inPem(aCertificate()) }],
      [id, { client_assertion: await signed(privateKey, claimsOf(service, id)) }],
      [keyHolder, { client_assertion: await signed(foreignKey.privateKey, claimsOf(service, keyHolder)) }],
      [keyHolder, { client_secret }],
      [unknown, { client_secret }],
      [unknown, { client_assertion: await signed(privateKey, claimsOf(service, unknown)) }],
      [unknown, { certificate: inPem(aCertificate()) }],
      ['a\u0000b', { client_secret }],
      ['x'.repeat(2_100), { client_secret }],
      [' ', { client_secret }],
    ];
    for (const [name, body] of cases)
      expect(await verify(app, name, body), JSON.stringify(body)).toEqual(INVALID);
    expect(await verify(app, id, { client_secret })).toEqual(valid('client_secret_basic'));
    for (const change of [
      `status = 'suspended'`,
      `status = 'pending'`,
      `status = 'active', secret_expires_at = to_timestamp(1)`,
      `secret_expires_at = NULL, expires_at = to_timestamp(1)`,
    ]) {
      await sql(`UPDATE client SET ${change} WHERE id = $1`, [id]);
      expect(await verify(app, id, { client_secret }), change).toEqual(INVALID);
    }
  });

  it('is explained if it was proved, but belongs to another method', async () => {
    const { app } = await buildTestApp();
    const { client_id: id, client_secret } = await withMethod(app, 'client_secret_jwt');
    expect(await verify(app, id, { client_secret })).toEqual(
      explained(
        'The client is registered for client_secret_jwt, but this request used client_secret_basic or client_secret_post. Authenticate with client_secret_jwt, or register token_endpoint_auth_method: client_secret_basic or client_secret_post',
      ),
    );
    expect(await verify(app, id, { client_secret: 'wrong' })).toEqual(INVALID);
  });
});

describe('an assertion', () => {
  async function createFixture(settings: Readonly<Record<string, string>> = {}) {
    const service = await buildTestApp(settings);
    const { privateKey, jwks } = aKeyPair();
    const { client_id: id } = await withMethod(service.app, 'private_key_jwt', { jwks });
    const ask = async (claims: Parameters<typeof claimsOf>[2] = {}, endpoint?: string) =>
      verify(service.app, id, {
        client_assertion: await signed(privateKey, claimsOf(service, id, claims)),
        ...(endpoint !== undefined && { endpoint }),
      });
    return { ...service, id, privateKey, ask };
  }

  it('may have as its audience the issuer, the token endpoint or the endpoint that received it', async () => {
    const { ask } = await createFixture();
    const endpoint = `${ISSUER}/oauth/par`;
    for (const aud of [ISSUER, `${ISSUER}/token`, endpoint, [endpoint]])
      expect(await ask({ aud }, endpoint), String(aud)).toEqual(valid('private_key_jwt'));
    expect(await ask({ aud: ISSUER })).toEqual(valid('private_key_jwt'));
    const accepted = `${ISSUER} or ${ISSUER}/token or ${endpoint}`;
    for (const aud of [
      `${ISSUER}/oauth`,
      `${endpoint}/`,
      'https://login.team.example/token',
      [ISSUER, endpoint],
    ])
      expect(await ask({ aud }, endpoint)).toEqual(
        explained(`client_assertion: aud must be one value: ${accepted}`),
      );
    expect(await ask({ aud: endpoint })).toEqual(
      explained(`client_assertion: aud must be one value: ${ISSUER}`),
    );
  });

  it('must have the issuer as its audience with ASSERTION_AUDIENCE=issuer', async () => {
    const { ask } = await createFixture({ ASSERTION_AUDIENCE: 'issuer' });
    const endpoint = `${ISSUER}/oauth/token`;
    expect(await ask({ aud: endpoint }, endpoint)).toEqual(
      explained(`client_assertion: aud must be one value: ${ISSUER}`),
    );
    expect(await ask({}, endpoint)).toEqual(valid('private_key_jwt'));
  });

  it('is valid once, on every instance', async () => {
    const { app, id, privateKey, anotherInstance, ...service } = await createFixture();
    const client_assertion = await signed(privateKey, claimsOf(service, id));
    expect(await verify(app, id, { client_assertion })).toEqual(valid('private_key_jwt'));
    const { app: other } = await anotherInstance();
    for (const instance of [app, other])
      expect(await verify(instance, id, { client_assertion })).toEqual(
        explained('client_assertion: jti was used before; every request needs a new assertion'),
      );
  });

  it('is not consumed when it is sent for another client, and the mistake is explained', async () => {
    const { app, id, privateKey, ...service } = await createFixture();
    const client_assertion = await signed(privateKey, claimsOf(service, id));
    const { client_id: other } = await registered(app);
    expect(await verify(app, other, { client_assertion })).toEqual(
      explained('client_assertion: sub must be the client_id'),
    );
    expect(await verify(app, id, { client_assertion })).toEqual(valid('private_key_jwt'));
  });

  it('is explained if its claims are wrong, whether or not the client exists', async () => {
    const { app, id, ask, privateKey, clock, ...service } = await createFixture({
      ASSERTION_MAX_LIFETIME_SECONDS: '60',
    });
    const now = Math.floor(clock.nowMs() / 1_000);
    const problems: [Parameters<typeof ask>[0], string][] = [
      [{ exp: now - 60 }, 'client_assertion: exp has passed'],
      [{ exp: now + 600 }, 'client_assertion: exp must be at most 60 seconds ahead'],
      [{ iss: 'x' }, 'client_assertion: iss must be the client_id, like sub'],
      [{ jti: 1 }, 'client_assertion: jti must be a string that no earlier assertion used'],
    ];
    for (const [claims, problem] of problems) {
      expect(await ask(claims)).toEqual(explained(problem));
      const unknown = 'unknown-client';
      const client_assertion = await signed(privateKey, claimsOf({ clock, ...service }, unknown, claims));
      expect(await verify(app, unknown, { client_assertion })).toEqual(explained(problem));
    }
    for (const client_assertion of ['', 'x', 'a.b.c', 'e30.e30.', 'x'.repeat(16_000)])
      expect(await verify(app, id, { client_assertion })).toEqual(
        explained('client_assertion cannot be read as a signed JWT'),
      );
  });
});
