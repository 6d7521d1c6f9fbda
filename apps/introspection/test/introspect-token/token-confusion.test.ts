import { secureRandom } from '@vestibule/crypto';
import { signJwt } from '@vestibule/crypto/jwt';
import { openTestKeyRing } from '@vestibule/crypto/testing';
import { nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { issueIdToken, issueInitialAccessToken } from '@vestibule/tokens/issuing';
import { expect, it } from 'vitest';
import { activeMembers, call, INACTIVE } from '../support/introspection-call.js';
import { aTestService, CLIENT, ISSUER, scopeOf, type TestService } from '../support/test-service.js';

it('is inactive for every prefix, suffix, changed bit, case and padding of a live token', async () => {
  const service = await aTestService();
  const live = [await service.identifier(), await service.jwt()];
  const mutants = live.flatMap(mutations);
  expect(mutants.length).toBeGreaterThanOrEqual(2000);
  for (const mutant of mutants) {
    const response = await call(service.app, { token: mutant });
    if (response.body !== INACTIVE.body || response.status !== 200)
      expect.fail(`${mutant}: ${response.body}`);
  }
  for (const token of live) activeMembers(await call(service.app, { token }));
});

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

/** Variants of a token from a scanner, a bug or a proxy; without NUL, which is refused as malformed. */
function mutations(token: string): string[] {
  const mutants = [
    token.toUpperCase(),
    token.toLowerCase(),
    `${token}=`,
    `${token}==`,
    `${token}.`,
    `.${token}`,
  ];
  for (const space of [' ', '\t', '\n', '\r\n', '\u00a0', '\u200b', '%20', '+'])
    mutants.push(space + token, token + space, token.slice(0, 20) + space + token.slice(20));
  for (let index = 0; index < token.length; index += 1) {
    mutants.push(
      token.slice(0, index),
      token.slice(index + 1),
      token.slice(0, index) + token.slice(index + 1),
    );
    for (let bit = 0; bit < 7; bit += 1) {
      const flipped = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
      mutants.push(token.slice(0, index) + flipped + token.slice(index + 1));
    }
  }
  return [...new Set(mutants)].filter(
    (mutant) => mutant !== token && mutant !== '' && !mutant.includes('\0'),
  );
}
