import { randomUUID } from 'node:crypto';
import { aCertificate } from '@vestibule/client-auth/testing';
import { sha256 } from '@vestibule/crypto';
import { accessTokenHash, aDpopClient } from '@vestibule/crypto/testing';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { certificateHeaders } from '../support/callers.js';
import { activeMembers, call, type Seen } from '../support/introspection-call.js';
import { aTestService, ENDPOINT, scopeOf, type TestService } from '../support/test-service.js';

const FORMATS = ['identifier', 'jwt'] as const;

/** Creates a service with a token that is bound to a key, and a valid proof for one request. */
async function aBoundToken(format: (typeof FORMATS)[number]) {
  const service = await aTestService();
  await service.register('caller');
  const key = aDpopClient();
  const grant = {
    clientId: 'caller' as ClientId,
    scope: scopeOf(ENDPOINT),
    confirmation: { jkt: key.thumbprint },
  };
  const bound = await service[format](grant);
  const claims = (changes: JsonObject = {}): JsonObject => ({
    jti: randomUUID(),
    htm: 'POST',
    htu: ENDPOINT,
    iat: nowSeconds(service.clock),
    ath: accessTokenHash(bound),
    ...changes,
  });
  const token = await service.identifier();
  const introspectWith = (dpop: string | undefined, authorization = `DPoP ${bound}`): Promise<Seen> =>
    call(service.app, { token }, { authorization, headers: dpop === undefined ? {} : { dpop } });
  return { service, key, bound, claims, introspectWith };
}

const REFUSED = {
  status: 401,
  headers: { 'www-authenticate': expect.stringMatching(/^DPoP .*algs="[^"]*ES256/) },
};

describe.each(FORMATS)('a caller with an access token that is bound to a key (%s)', (format) => {
  it('is accepted with a proof of that key, once per proof (RFC 9449 section 7.1)', async () => {
    const { key, claims, introspectWith } = await aBoundToken(format);
    const proof = key.sign(claims());
    activeMembers(await introspectWith(proof));
    expect(await introspectWith(proof)).toMatchObject(REFUSED);
    activeMembers(await introspectWith(key.sign(claims({ htu: `${ENDPOINT}?a=b#c` }))));
  });

  it('is refused with any other proof', async () => {
    const { service, key, claims, introspectWith } = await aBoundToken(format);
    const other = aDpopClient();
    const now = nowSeconds(service.clock);
    const good = key.sign(claims());
    const bad: readonly (string | undefined)[] = [
      undefined,
      'x',
      other.sign(claims()),
      other.sign(claims(), { jwk: key.publicJwk }),
      key.sign(claims(), { jwk: other.publicJwk }),
      key.sign(claims(), { jwk: key.privateJwk }),
      key.sign(claims(), { typ: 'JWT' }),
      key.sign(claims(), { alg: 'none' }),
      key.sign(claims({ htm: 'GET' })),
      key.sign(claims({ htu: `${ENDPOINT}x` })),
      key.sign(claims({ htu: 'https://other.example/token/introspect' })),
      key.sign(claims({ ath: accessTokenHash('another token') })),
      key.sign(claims({ iat: now - 61 })),
      key.sign(claims({ iat: now + 11 })),
      ...['jti', 'htm', 'htu', 'iat', 'ath'].map((name) => {
        const { [name]: _, ...rest } = claims();
        return key.sign(rest);
      }),
      `${good}, ${good}`,
    ];
    for (const [index, proof] of bad.entries())
      expect(await introspectWith(proof), String(index)).toMatchObject(REFUSED);
    activeMembers(await introspectWith(good));
  });

  it('is refused with a bound token as a bearer token, and with an unbound token and a proof', async () => {
    const { service, bound, key, claims, introspectWith } = await aBoundToken(format);
    expect((await introspectWith(key.sign(claims()), `Bearer ${bound}`)).status).toBe(401);
    const unbound = await service[format]({ clientId: 'caller' as ClientId, scope: scopeOf(ENDPOINT) });
    expect(
      await introspectWith(key.sign(claims({ ath: accessTokenHash(unbound) })), `DPoP ${unbound}`),
    ).toMatchObject(REFUSED);
    activeMembers(await introspectWith(undefined, `Bearer ${unbound}`));
  });
});

it.each(FORMATS)(
  'accepts an access token that is bound to a certificate only over a connection with that certificate (%s)',
  async (format) => {
    const service: TestService = await aTestService();
    await service.register('caller');
    const der = aCertificate();
    const confirmation = { 'x5t#S256': Buffer.from(sha256(der)).toString('base64url') };
    const grant = { clientId: 'caller' as ClientId, scope: scopeOf(ENDPOINT), confirmation };
    const authorization = `Bearer ${await service[format](grant)}`;
    const token = await service.identifier();
    const introspectWith = (headers: Readonly<Record<string, string>>) =>
      call(service.app, { token }, { authorization, headers });
    activeMembers(await introspectWith(certificateHeaders(der)));
    for (const headers of [
      {},
      certificateHeaders(aCertificate()),
      { ...certificateHeaders(der), 'client-cert-proof': 'x' },
    ])
      expect((await introspectWith(headers)).status).toBe(401);
  },
);
