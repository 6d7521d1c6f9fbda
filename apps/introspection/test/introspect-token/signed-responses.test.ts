import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import { decryptJwt, secretEncryptionKey } from '@vestibule/crypto/jwt';
import { createRemoteKeySets } from '@vestibule/crypto/public-keys';
import { createEgress, keySetFetcher } from '@vestibule/egress';
import { type ClientId, nowSeconds, systemClock } from '@vestibule/protocol';
import {
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  CONTENT_ENCRYPTION_ALGORITHMS,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol/constants';
import { revokeToken } from '@vestibule/tokens/revocation';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  activeMembers,
  basic,
  call,
  HEADERS,
  INACTIVE,
  JSON_HEADERS,
} from '../support/introspection-call.js';
import { ACCEPT, openResponse } from '../support/signed-response.js';
import {
  aTestService,
  ENDPOINT,
  ISSUER,
  SECRET,
  scopeOf,
  type TestService,
} from '../support/test-service.js';

const FORMS = ['jwt', 'legacy-jwt'] as const;
type Form = (typeof FORMS)[number];

/** Requests a format, and returns the verified response. */
async function introspectWith(service: TestService, form: Form, token: string, authorization = basic()) {
  const introspected = await call(
    service.app,
    { token },
    { authorization, headers: { accept: ACCEPT[form] } },
  );
  expect({ ...introspected, body: '' }).toEqual({
    status: 200,
    headers: { ...HEADERS, 'content-type': ACCEPT[form] },
    body: '',
  });
  return openResponse(service, introspected.body);
}

describe('POST /token/introspect for a signed response', () => {
  it('contains the exact JSON response in the form of RFC 9701', async () => {
    const service = await aTestService();
    for (const token of [await service.identifier({ audience: ['rs1', 'rs2'] }), await service.jwt()]) {
      const members = activeMembers(await call(service.app, { token }));
      const { header, claims } = await introspectWith(service, 'jwt', token);
      const { kid } = service.keys.keyRing.signingKey('ES256');
      expect(header).toEqual({ alg: 'ES256', typ: 'token-introspection+jwt', kid });
      expect(claims).toEqual({
        iss: ISSUER,
        aud: 'rs1',
        iat: nowSeconds(service.clock),
        token_introspection: members,
      });
    }
  });

  it('has the members beside the envelope in the legacy form', async () => {
    const service = await aTestService();
    for (const token of [await service.identifier({ audience: ['rs1', 'rs2'] }), await service.jwt()]) {
      const members = activeMembers(await call(service.app, { token }));
      service.clock.advanceSeconds(5);
      const { header, claims } = await introspectWith(service, 'legacy-jwt', token);
      expect(header).toMatchObject({ alg: 'ES256', typ: 'token-introspection+jwt' });
      expect(claims).toEqual({
        ...members,
        iss: ISSUER,
        aud: 'rs1',
        iat: nowSeconds(service.clock),
        jti: expect.any(String),
      });
    }
  });

  it('contains only active and the envelope for an inactive token', async () => {
    const service = await aTestService();
    const tokens = ['x', 'x'.repeat(43), await service.jwt({ audience: ['rs2'] }), 'a.b.c'];
    const envelope = { iss: ISSUER, aud: 'rs1', iat: nowSeconds(service.clock) };
    for (const token of tokens) {
      expect((await introspectWith(service, 'jwt', token)).claims).toEqual({
        ...envelope,
        token_introspection: { active: false },
      });
      expect((await introspectWith(service, 'legacy-jwt', token)).claims).toEqual({
        ...envelope,
        active: false,
        jti: expect.any(String),
      });
    }
  });

  it('has the same jti for a token always, for every caller, which reveals neither the token nor its digest', async () => {
    const service = await aTestService();
    await service.register('rs2');
    for (const format of ['identifier', 'jwt'] as const) {
      const token = await service[format]({ audience: ['rs1'], lifetimeSeconds: 10 });
      const jtis = [];
      for (const authorization of [basic(), basic('rs2'), basic()]) {
        jtis.push((await introspectWith(service, 'legacy-jwt', token, authorization)).claims['jti']);
        service.clock.advanceSeconds(6);
      }
      expect(new Set(jtis).size).toBe(1);
      const { digester } = service.deps;
      const digest = Buffer.from(digester.digest('access-token', token));
      const spellings = ['hex', 'base64', 'base64url'] as const;
      for (const text of [token, ...spellings.map((spelling) => digest.toString(spelling))])
        expect(text).not.toContain(jtis[0]);
      const other = await introspectWith(service, 'legacy-jwt', await service[format]());
      expect(other.claims['jti']).not.toBe(jtis[0]);
    }
  });

  it('has the jti of a self-contained token only if its signature was verified, revoked or not', async () => {
    const service = await aTestService();
    const jtiOf = async (token: string) => (await introspectWith(service, 'legacy-jwt', token)).claims['jti'];
    const expired = await service.jwt({ lifetimeSeconds: 10 });
    const revoked = await service.jwt();
    const [header, payload] = revoked.split('.');
    const { jti: own } = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
    expect(await jtiOf(revoked)).toBe(own);
    await revokeToken(service.revocationDeps, revoked);
    expect(await jtiOf(revoked)).toBe(own);
    const before = await jtiOf(expired);
    service.clock.advanceSeconds(60);
    expect(await jtiOf(expired)).toBe(before);
    const made = Buffer.from(JSON.stringify({ jti: own })).toString('base64url');
    for (const forged of [`${header}.${payload}.AAAA`, `${header}.${made}.AAAA`]) {
      const derived = await jtiOf(forged);
      expect(derived).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(derived).not.toBe(own);
      expect(await jtiOf(forged)).toBe(derived);
    }
  });

  it('has the client of the bearer token as its audience', async () => {
    const service = await aTestService();
    const bearer = await service.identifier({ scope: scopeOf(ENDPOINT) });
    const token = await service.identifier({ audience: ['client'] });
    const { claims } = await introspectWith(service, 'jwt', token, `Bearer ${bearer}`);
    expect(claims).toMatchObject({ aud: 'client', token_introspection: { active: true, aud: ['client'] } });
  });

  it('has the configured format and the configured type', async () => {
    const service = await aTestService({ format: 'jwt', responseType: 'JWT' });
    const token = await service.identifier();
    for (const accept of [undefined, 'application/json', '*/*', 'application/jwt']) {
      const headers = accept === undefined ? {} : { accept };
      const introspected = await call(service.app, { token }, { authorization: basic(), headers });
      expect(introspected.headers).toEqual({ ...HEADERS, 'content-type': ACCEPT.jwt });
      const { claims } = await openResponse(service, introspected.body, 'JWT');
      expect(claims).toMatchObject({ token_introspection: { active: true } });
    }
    const json = await aTestService({ format: 'json' });
    const headers = { accept: ACCEPT.jwt };
    expect(await call(json.app, { token }, { authorization: basic(), headers })).toEqual(INACTIVE);
  });

  it('has errors in JSON, whatever Accept says', async () => {
    const service = await aTestService();
    await service.register('other', { scope: 'read' });
    for (const accept of Object.values(ACCEPT)) {
      const headers = { accept };
      const failures = [
        await call(service.app, {}, { authorization: basic(), headers }),
        await call(service.app, { token: 'x' }, { authorization: undefined, headers }),
        await call(service.app, { token: 'x' }, { authorization: basic('other'), headers }),
        await call(service.app, '%', { authorization: basic(), headers }),
      ];
      expect(failures.map(({ status }) => status)).toEqual([400, 401, 403, 400]);
      for (const failure of failures) expect(failure.headers).toMatchObject(JSON_HEADERS);
    }
  });

  it('signs with the algorithm that the client registered', async () => {
    const service = await aTestService();
    await service.register('ed', { introspection_signed_response_alg: 'EdDSA' });
    for (const form of FORMS) {
      const { header } = await introspectWith(service, form, await service.identifier(), basic('ed'));
      expect(header).toMatchObject({ alg: 'EdDSA', kid: service.keys.keyRing.signingKey('EdDSA').kid });
    }
  });
});

/** Decrypts and verifies a response. */
async function decrypt(service: TestService, body: string, key: Parameters<typeof decryptJwt>[1]['keys']) {
  const signed = await decryptJwt(body, {
    keys: key,
    algorithms: [...ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS, ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS],
    encryptions: CONTENT_ENCRYPTION_ALGORITHMS,
    maxLength: 32_768,
  });
  return openResponse(service, signed);
}

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'e1', use: 'enc' }] };

/** Serves a key set over HTTP, and counts how often it is fetched. */
async function serveKeySet() {
  let fetches = 0;
  const server = createServer((_request, response) => {
    fetches += 1;
    response.setHeader('content-type', 'application/jwk-set+json').end(JSON.stringify(jwks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/jwks`, host: `127.0.0.1:${port}`, fetches: () => fetches };
}

describe('POST /token/introspect for a signed and encrypted response', () => {
  it('encrypts to the key that the client registered, by value or by address', async () => {
    const keySet = await serveKeySet();
    const egress = createEgress({ allowHosts: [keySet.host], clock: systemClock });
    const remoteKeySets = createRemoteKeySets({ fetch: keySetFetcher(egress), clock: systemClock });
    const service = await aTestService({ remoteKeySets });
    const encrypted = { introspection_encrypted_response_alg: 'ECDH-ES+A128KW' };
    await service.register('value', { ...encrypted, jwks });
    await service.register('address', {
      ...encrypted,
      introspection_encrypted_response_enc: 'A256GCM',
      jwks_uri: keySet.address,
    });
    const token = await service.identifier();
    for (const [id, enc] of [
      ['value', 'A128CBC-HS256'],
      ['address', 'A256GCM'],
    ] as const) {
      for (const form of FORMS) {
        const headers = { accept: ACCEPT[form] };
        const introspected = await call(service.app, { token }, { authorization: basic(id), headers });
        expect(introspected.headers['content-type']).toBe(ACCEPT[form]);
        const [header = ''] = introspected.body.split('.', 1);
        expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({
          ...{ alg: 'ECDH-ES+A128KW', enc, cty: 'JWT', kid: 'e1' },
        });
        const key = { algorithm: 'ECDH-ES+A128KW', key: pair.privateKey } as const;
        const { claims } = await decrypt(service, introspected.body, () => [key]);
        expect(claims).toMatchObject({ iss: ISSUER, aud: id });
      }
      activeMembers(await call(service.app, { token }, { authorization: basic(id) }));
    }
    expect(keySet.fetches()).toBe(1);
  });

  it('encrypts with the secret if the client registered that', async () => {
    const service = await aTestService();
    for (const alg of ['dir', 'A128KW', 'A256GCMKW'] as const) {
      const encrypted = await service.keys.encryptor.encrypt(
        SECRET,
        secretAssociatedData(alg as string as ClientId),
      );
      const secret = { digest: service.deps.digester.digest('client-secret', SECRET), encrypted: encrypted };
      await service.register(alg, { introspection_encrypted_response_alg: alg }, { secret });
      const headers = { accept: ACCEPT.jwt };
      const token = await service.jwt();
      const introspected = await call(service.app, { token }, { authorization: basic(alg), headers });
      const key = secretEncryptionKey(SECRET, alg, 'A128CBC-HS256');
      const { claims } = await decrypt(service, introspected.body, () => [key]);
      expect(claims).toMatchObject({ aud: alg, token_introspection: { active: true, sub: 'alice' } });
    }
  });

  it('refuses without a key, consumes nothing, and never responds in clear', async () => {
    const service = await aTestService();
    const alg = 'RSA-OAEP-256';
    await service.register('none', { introspection_encrypted_response_alg: alg });
    await service.register('other', { introspection_encrypted_response_alg: alg, jwks });
    await service.register('away', {
      introspection_encrypted_response_alg: alg,
      jwks_uri: 'https://rs.example/jwks',
    });
    await service.register('unsigned', { introspection_signed_response_alg: 'none' });
    const token = await service.identifier();
    const headers = { accept: ACCEPT.jwt };
    for (const id of ['none', 'other', 'away', 'unsigned']) {
      const form = { token, revoke: 'true' };
      const introspected = await call(service.app, form, { authorization: basic(id), headers });
      expect({ ...introspected, body: JSON.parse(introspected.body) }).toEqual({
        status: 400,
        headers: JSON_HEADERS,
        body: {
          error: 'invalid_request',
          error_description: expect.stringContaining('no key for the registered algorithm'),
        },
      });
    }
    activeMembers(await call(service.app, { token, revoke: 'true' }));
  });
});
