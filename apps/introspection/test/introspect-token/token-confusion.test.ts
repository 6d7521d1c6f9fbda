import { secureRandom } from '@vestibule/crypto';
import { signJwt } from '@vestibule/crypto/jwt';
import { openTestKeyRing } from '@vestibule/crypto/testing';
import { nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { issueIdToken, issueInitialAccessToken } from '@vestibule/tokens/issuing';
import { expect, it } from 'vitest';
import { activeMembers, call, INACTIVE } from '../support/introspection-call.js';
import { aTestService, CLIENT, ISSUER, scopeOf, type TestService } from '../support/test-service.js';

it('is inactive for every other kind of token that we issue or sign', async () => {
  const service = await aTestService();
  for (const [kind, token] of Object.entries(await otherKinds(service)))
    for (const token_type_hint of ['access_token', 'refresh_token'])
      expect(await call(service.app, { token, token_type_hint }), kind).toEqual(INACTIVE);
});

it('is inactive for tokens of another key, issuer or algorithm', async () => {
  const service = await aTestService();
  const keysOfOthers = await openTestKeyRing();
  const claims = accessTokenClaims(service);
  activeMembers(await call(service.app, { token: await service.signed('at+jwt', claims) }));
  const [, payload = '', signature = ''] = (await service.signed('at+jwt', claims)).split('.');
  const headers = ['none', 'None', 'NONE', 'HS256', 'RS256', 'ES384'].map((alg) =>
    Buffer.from(JSON.stringify({ alg, typ: 'at+jwt' })).toString('base64url'),
  );
  const forged = [
    await signJwt({ key: keysOfOthers.signingKey('ES256'), typ: 'at+jwt', claims }),
    await service.signed('at+jwt', { ...claims, iss: 'https://other.example' }),
    ...headers.flatMap((header) => [`${header}.${payload}.`, `${header}.${payload}.${signature}`]),
  ];
  for (const token of forged) expect(await call(service.app, { token }), token).toEqual(INACTIVE);
});

async function otherKinds(service: TestService): Promise<Record<string, string>> {
  const claims = accessTokenClaims(service);
  const deps = { ...service.revocationDeps, ...service.issuing, random: secureRandom, tokenLength: 43 };
  const grant = { scope: scopeOf('client-reg'), lifetimeSeconds: 60 };
  const initial = await issueInitialAccessToken(deps, grant);
  const initialJwt = await issueInitialAccessToken(deps, { ...grant, format: 'jwt' });
  const idToken = await issueIdToken(service.issuing, {
    clientId: CLIENT,
    subject: 'alice',
    lifetimeSeconds: 60,
    algorithm: 'ES256',
  });
  return {
    'initial access token': initial.accessToken,
    'initial access token as a JWT': initialJwt.accessToken,
    'ID token': idToken,
    'ID token with every claim': await service.signed('JWT', claims),
    'logout token': await service.signed('logout+jwt', { ...claims, events: {} }),
    'introspection response': await service.signed('token-introspection+jwt', claims),
    'entity statement': await service.signed('entity-statement+jwt', claims),
    'client assertion': await service.signed('client-authentication+jwt', claims),
    'request object': await service.signed('oauth-authz-req+jwt', claims),
  };
}

function accessTokenClaims({ clock }: TestService): JsonObject {
  const now = nowSeconds(clock);
  return {
    iss: ISSUER,
    sub: 'alice',
    client_id: 'client',
    iat: now,
    exp: now + 60,
    jti: 'j1',
    scope: 'read',
  };
}
