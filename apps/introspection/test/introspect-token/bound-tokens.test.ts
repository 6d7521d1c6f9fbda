import { randomUUID } from 'node:crypto';
import { aCertificate } from '@vestibule/client-auth/testing';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { certificateHeaders } from '../support/callers.js';
import { activeMembers, call, type Seen } from '../support/introspection-call.js';
import { aProofKey, hashOf } from '../support/proof-key.js';
import { aTestService, ENDPOINT, scopeOf, type TestService } from '../support/test-service.js';

const FORMATS = ['identifier', 'jwt'] as const;

/** Creates a service with a token that is bound to a key, and a valid proof for one request. */
async function aBoundToken(format: (typeof FORMATS)[number]) {
  const service = await aTestService();
  await service.register('caller');
  const key = await aProofKey();
  const grant = { clientId: 'caller' as ClientId, scope: scopeOf(ENDPOINT), confirmation: { jkt: key.jkt } };
  const bound = await service[format](grant);
  const claims = (changes: JsonObject = {}): JsonObject => ({
    jti: randomUUID(),
    htm: 'POST',
    htu: ENDPOINT,
    iat: nowSeconds(service.clock),
    ath: hashOf(bound),
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
    const proof = key.prove(claims());
    activeMembers(await introspectWith(proof));
    expect(await introspectWith(proof)).toMatchObject(REFUSED);
    activeMembers(await introspectWith(key.prove(claims({ htu: `${ENDPOINT}?a=b#c` }))));
  });

  it('is refused with any other proof', async () => {
    const { service, key, claims, introspectWith } = await aBoundToken(format);
    const other = await aProofKey();
    const now = nowSeconds(service.clock);
    const good = key.prove(claims());
    const bad: readonly (string | undefined)[] = [
      undefined,
      'x',
      other.prove(claims()),
      other.prove(claims(), { jwk: key.jwk }),
      key.prove(claims(), { jwk: other.jwk }),
      key.prove(claims(), { jwk: key.privateJwk as JsonObject }),
      key.prove(claims(), { typ: 'JWT' }),
      key.prove(claims(), { alg: 'none' }),
      key.prove(claims({ htm: 'GET' })),
      key.prove(claims({ htu: `${ENDPOINT}x` })),
      key.prove(claims({ htu: 'https://other.example/token/introspect' })),
      key.prove(claims({ ath: hashOf('another token') })),
      key.prove(claims({ iat: now - 61 })),
      key.prove(claims({ iat: now + 11 })),
      ...['jti', 'htm', 'htu', 'iat', 'ath'].map((name) => {
        const { [name]: _, ...rest } = claims();
        return key.prove(rest);
      }),
      `${good}, ${good}`,
    ];
    for (const [index, proof] of bad.entries())
      expect(await introspectWith(proof), String(index)).toMatchObject(REFUSED);
    activeMembers(await introspectWith(good));
  });

  it('is refused with a bound token as a bearer token, and with an unbound token and a proof', async () => {
    const { service, bound, key, claims, introspectWith } = await aBoundToken(format);
    expect((await introspectWith(key.prove(claims()), `Bearer ${bound}`)).status).toBe(401);
    const unbound = await service[format]({ clientId: 'caller' as ClientId, scope: scopeOf(ENDPOINT) });
    expect(
      await introspectWith(key.prove(claims({ ath: hashOf(unbound) })), `DPoP ${unbound}`),
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
    const confirmation = { 'x5t#S256': hashOf(der) };
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
