import type { KeyObject } from 'node:crypto';
import { aDpopClient } from '@vestibule/crypto/testing';
import { nowSeconds } from '@vestibule/protocol';
import type { ClientCredentials } from '@vestibule/resource-server';
import { startJwksServer } from '@vestibule/testkit';
import { revokeToken } from '@vestibule/tokens/revocation';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bearerProof, CLIENT_KEY, LONG_SECRET, registerCaller } from '../support/callers.js';
import { API, anApi, CREDENTIALS, inShort, requestWith } from '../support/resource-server.js';
import { aTestService, ENDPOINT } from '../support/test-service.js';

describe('an API with the SDK, at this introspection endpoint', () => {
  it('accepts live tokens of both formats that are for it, and refuses others', async () => {
    const service = await aTestService();
    await service.register('api', { resource_identifiers: [API] });
    const { outcome } = await anApi(service);
    const audience = ['rs1'];
    expect(await outcome(await service.identifier({ audience }))).toBe('accepted alice');
    expect(await outcome(await service.jwt({ audience }))).toBe('accepted alice');
    expect(await outcome(await service.identifier({ audience }), 'admin')).toBe('403 scope');
    expect(await outcome(await service.identifier({ audience: ['api'] }))).toBe('401 inactive');
    expect(await outcome(await service.identifier())).toBe('401 audience');
    expect(await outcome('made-up')).toBe('401 inactive');
  });

  it('refuses a revoked and an expired token on the next request', async () => {
    const service = await aTestService();
    const { outcome } = await anApi(service);
    const [one, other] = [
      await service.identifier({ audience: ['rs1'] }),
      await service.identifier({ audience: ['rs1'] }),
    ];
    expect(await outcome(one)).toBe('accepted alice');
    await revokeToken(service.revocationDeps, one);
    expect(await outcome(one)).toBe('401 inactive');
    service.clock.advanceSeconds(600);
    expect(await outcome(other)).toBe('401 inactive');
  });

  it.each(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'access_token'] as const)(
    'authenticates with %s',
    async (method) => {
      const service = await aTestService();
      const clientId = 'rs:2 +%';
      const registered = method === 'access_token' ? 'client_secret_basic' : method;
      await registerCaller(service, clientId, registered);
      const { outcome, problems } = await anApi(service, await credentialsOf(service, clientId, method));
      const token = await service.identifier({ audience: [clientId] });
      expect([await outcome(token), await outcome('made-up'), problems]).toEqual([
        'accepted alice',
        '401 inactive',
        [],
      ]);
    },
  );

  it('refuses with 503, and tells the operator, while its own credentials are wrong', async () => {
    const service = await aTestService();
    const wrong = { ...CREDENTIALS, clientSecret: 'wrong' };
    const { outcome, problems } = await anApi(service, wrong);
    expect(await outcome(await service.identifier({ audience: ['rs1'] }))).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['credentials_refused']);
  });

  it('refuses with 503, and tells the operator, while its client may not introspect', async () => {
    const service = await aTestService();
    const { outcome, problems } = await anApi(service, { ...CREDENTIALS, clientId: 'client' });
    expect(await outcome(await service.identifier())).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['not_permitted']);
  });

  it('accepts a token that is bound to a DPoP key with a proof, once', async () => {
    const service = await aTestService();
    const { api } = await anApi(service);
    const client = aDpopClient();
    const token = await service.identifier({ audience: ['rs1'], confirmation: { jkt: client.thumbprint } });
    const dpop = client.proof(token, { htu: `${API}/orders/7`, iat: nowSeconds(service.clock) });
    const request = requestWith({ authorization: `DPoP ${token}`, dpop });
    expect(inShort(await api.verify(request))).toBe('accepted alice');
    expect(inShort(await api.verify(request))).toBe('401 replayed_proof');
    expect(inShort(await api.verify(requestWith({ authorization: `Bearer ${token}` })))).toBe('401 binding');
  });

  it('verifies signed responses (RFC 9701)', async () => {
    const service = await aTestService();
    const jwks = await startJwksServer();
    jwks.respond((_request, response) => {
      const keys = JSON.stringify(service.keys.keyRing.publicJwks());
      response.setHeader('content-type', 'application/json').end(keys);
    });
    onTestFinished(() => jwks.close());
    const signedResponses = { algorithms: ['ES256'], jwksUri: jwks.url } as const;
    const { outcome, problems } = await anApi(service, undefined, { signedResponses });
    expect(await outcome(await service.identifier({ audience: ['rs1'] }))).toBe('accepted alice');
    expect(await outcome('made-up')).toBe('401 inactive');
    expect(problems).toEqual([]);
  });
});

async function credentialsOf(
  service: Parameters<typeof bearerProof>[0],
  clientId: string,
  method: ClientCredentials['method'],
): Promise<ClientCredentials> {
  switch (method) {
    case 'client_secret_basic':
    case 'client_secret_post':
      return { method, clientId, clientSecret: LONG_SECRET };
    case 'private_key_jwt':
      return { method, clientId, key: CLIENT_KEY.key as KeyObject, algorithm: 'ES256', kid: 'k1' };
    default: {
      const { authorization = '' } = await bearerProof(service, clientId, ENDPOINT);
      return {
        method: 'access_token',
        clientId,
        accessToken: async () => authorization.slice('Bearer '.length),
      };
    }
  }
}
