import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Respond } from '../testing/authorization-server.js';
import { json, startProgrammedServer } from '../testing/authorization-server.js';
import { active, aResourceServer, bearer, CREDENTIALS, summary } from '../testing/resource-server-fixture.js';

const NOW = Date.UTC(2026, 5, 1, 12) / 1000;
const TYPE = 'application/token-introspection+jwt';

interface Deviation {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** An authorization server that signs its introspection responses (RFC 9701). */
async function signingServer() {
  const pair = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }];
  const authorizationServer = await startProgrammedServer(json({}, 404));
  const { url } = authorizationServer;
  const signed = async ({ header, claims }: Deviation = {}) => {
    const payload = {
      iss: url,
      aud: CREDENTIALS.clientId,
      iat: NOW,
      token_introspection: active(),
      ...claims,
    };
    return new SignJWT(JSON.parse(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'token-introspection+jwt', ...header })
      .sign(pair.privateKey);
  };
  /** Responds to introspection with a text; the key set is at `/jwks.json`. */
  const respondWith = (body: string, type = TYPE) => {
    const respond: Respond = (request, response) => {
      if (request.path === '/jwks.json') json({ keys })(request, response);
      else response.writeHead(200, { 'Content-Type': type }).end(body);
    };
    authorizationServer.respond = respond;
  };
  const fixture = aResourceServer(url, {
    signedResponses: { algorithms: ['ES256'], jwksUri: `${url}/jwks.json` },
  });
  return { ...fixture, signed, respondWith, authorizationServer };
}

describe('a signed introspection response (RFC 9701)', () => {
  it('is requested, verified with the keys of the issuer, and used', async () => {
    const { server, signed, respondWith, authorizationServer } = await signingServer();
    respondWith(await signed());
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    respondWith(await signed({ claims: { token_introspection: { active: false } } }));
    expect(summary(await server.verify(bearer()))).toBe('401 inactive');
    const paths = authorizationServer.requests.map(({ path }) => path);
    expect(paths).toEqual(['/token/introspect', '/jwks.json', '/token/introspect']);
    expect(authorizationServer.requests[0]?.headers.accept).toBe(TYPE);
  });

  it.each<[string, Deviation]>([
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['for another client', { claims: { aud: 'rs2' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['of another type', { header: { typ: 'at+jwt' } }],
    ['without a type', { header: { typ: undefined } }],
    ['of more than a minute ago', { claims: { iat: NOW - 61 } }],
    ['of the future', { claims: { iat: NOW + 11 } }],
    ['without a time', { claims: { iat: undefined } }],
    ['with a key that is not published', { header: { kid: 'k2' } }],
    ['without token_introspection', { claims: { token_introspection: undefined, active: true } }],
  ])('is refused %s', async (_what, deviation) => {
    const { server, signed, respondWith, problems } = await signingServer();
    respondWith(await signed(deviation));
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['signature']);
  });

  it('is refused with a changed payload, unsigned, and in place of a signed one', async () => {
    const { server, signed, respondWith, problems } = await signingServer();
    const [head, , signature] = (await signed()).split('.');
    const forged = Buffer.from(JSON.stringify({ iss: 'x', token_introspection: active() })).toString(
      'base64url',
    );
    respondWith(`${head}.${forged}.${signature}`);
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
    respondWith('not a jwt');
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
    respondWith(JSON.stringify(active()), 'application/json');
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['signature', 'signature', 'malformed_response']);
  });

  it('cannot be verified while the key set cannot be read: 503', async () => {
    const { server, signed, authorizationServer, problems } = await signingServer();
    const body = await signed();
    authorizationServer.respond = (request, response) => {
      if (request.path === '/jwks.json') json({}, 500)(request, response);
      else response.writeHead(200, { 'Content-Type': TYPE }).end(body);
    };
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['signature']);
  });
});
