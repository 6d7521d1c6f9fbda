import { generateKeyPairSync } from 'node:crypto';
import { aDpopClient } from '@vestibule/crypto/testing';
import { freePort } from '@vestibule/local-services';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { API, aForwardAuth, ISSUER, NOW } from './forward-auth-fixture.js';
import { type GatewayProgram, isInstalled, startGateway } from './gateway.js';
import { aGrpcServer } from './grpc-server.js';

/** Whether the gateway passes the body of a refusal on. */
export interface GuaranteeOptions {
  readonly passesBodies: boolean;
}

async function behind(program: GatewayProgram, settings: Readonly<Record<string, string>> = {}) {
  const fixture = await aForwardAuth({ settings });
  // Ports that no other server gets when these stop.
  const servicePort = await freePort();
  await fixture.app.listen({ port: servicePort, host: '127.0.0.1' });
  const hasSignedTokens = settings['UPSTREAM_TOKEN_KEYS'] !== undefined;
  const grpc =
    program.usesGrpc === true ? await aGrpcServer(fixture.forwardAuth.deps, await freePort()) : undefined;
  const grpcPort = grpc?.port ?? 0;
  const gateway = await startGateway(program, { servicePort, grpcPort, hasSignedTokens });
  const stop = async () => {
    await grpc?.close();
    await fixture.app.close();
  };
  return { ...fixture, ...gateway, servicePort, stop };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const SPOOFED = 'spoofed.example';

/** Headers that some frameworks read in place of the method, the path, the host or the client of a request. */
const OVERRIDES = Object.fromEntries(
  [
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Method',
    'X-Forwarded-Port',
    'X-Forwarded-Prefix',
    'X-Forwarded-Proto',
    'X-Forwarded-Uri',
    'X-HTTP-Method',
    'X-HTTP-Method-Override',
    'X-Method-Override',
    'X-Original-URI',
    'X-Original-URL',
    'X-Rewrite-URL',
    'X_HTTP_Method_Override',
    'X.Original.URL',
  ].map((name) => [name, SPOOFED]),
);

/** The guarantees of every gateway with its example. Skipped, by name, where the gateway is not installed. */
export function describeGateway(program: GatewayProgram, { passesBodies }: GuaranteeOptions): void {
  describe.skipIf(!isInstalled(program))(`${program.name}, with its example`, () => {
    it('passes a request on that has an active token with the scope, as it is, with the identity', async () => {
      const { send, issue, upstream } = await behind(program);
      const token = issue({ username: 'Ada Lovelace' });
      const response = await send('GET /orders/a%20b?c=../d', bearer(token));
      expect([response.status, response.body]).toEqual([200, 'from the upstream']);
      expect(upstream.map(({ target }) => target)).toEqual(['GET /orders/a%20b?c=../d']);
      expect(upstream[0]?.headers).toMatchObject({
        host: 'api.example',
        authorization: `Bearer ${token}`,
        'x-token-subject': 'ada',
        'x-token-client': 'app',
        'x-token-scope': 'orders:read',
        'x-token-username': 'Ada%20Lovelace',
      });
    });

    it('replaces identity headers of the client, also where there is nothing to tell', async () => {
      const { send, issue, upstream } = await behind(program);
      const spoofed = {
        'X-Token-Subject': 'root',
        'x-token-username': ['root', 'root'],
        'X-Token-Scope': 'all',
        X_Token_Subject: 'root',
        x_token_username: 'root',
        'X-Token_Subject': 'root',
        'X_Token-Username': 'root',
        'X.Token.Subject': 'root',
        'X-Token.Subject': 'root',
        'x_token.username': 'root',
      };
      expect((await send('GET /orders', { ...bearer(issue()), ...spoofed })).status).toBe(200);
      expect((await send('GET /health', spoofed)).status).toBe(200);
      const told = upstream.map(({ rawHeaders }) => identityIn(rawHeaders));
      expect(told).toEqual([
        { 'x-token-subject': ['ada'], 'x-token-client': ['app'], 'x-token-scope': ['orders:read'] },
        {},
      ]);
    });

    it('passes no identity header of a client that has the gateway drop its own as hop-by-hop', async () => {
      const { send, issue, upstream } = await behind(program);
      const dropped = { connection: 'close, X-Token-Subject, X-Forwarded-Uri', 'X-Token-Subject': 'root' };
      await send('GET /orders', { ...bearer(issue()), ...dropped });
      await send('GET /orders', dropped);
      expect(upstream.length).toBeLessThan(2);
      for (const { rawHeaders } of upstream) expect(rawHeaders).not.toContain('root');
    });

    it('refuses a request without a token, with a challenge', async () => {
      const { send, upstream } = await behind(program);
      const { status, headers } = await send('GET /orders');
      expect([status, headers['cache-control']]).toEqual([401, 'no-store']);
      expect(headers['www-authenticate']).toMatch(
        /^Bearer scope="orders:read", resource_metadata="https:\/\/api\.example\/.well-known\/oauth-protected-resource", DPoP /,
      );
      expect(headers['www-authenticate']?.match(/Bearer/g)).toHaveLength(1);
      expect(upstream).toEqual([]);
    });

    it('refuses a token without the scope, with the scope in the challenge', async () => {
      const { send, issue, upstream } = await behind(program);
      const { status, headers, body } = await send('POST /orders', bearer(issue({ scope: 'x' })));
      expect(status).toBe(403);
      expect(headers['www-authenticate']).toMatch(/error="insufficient_scope".*scope="orders:read"/);
      expect(body === '' ? body : JSON.parse(body).error).toBe(passesBodies ? 'insufficient_scope' : '');
      expect(upstream).toEqual([]);
    });

    it('refuses a bound token without its proof, and accepts it with one, once', async () => {
      const { send, issue } = await behind(program);
      const client = aDpopClient();
      const token = issue({ cnf: { jkt: client.thumbprint } });
      const dpop = client.proof(token, { htu: `${API}/orders/7`, iat: NOW });
      const status = async (headers: Readonly<Record<string, string>>) =>
        (await send('GET /orders/7', headers)).status;
      expect(await status(bearer(token))).toBe(401);
      expect(await status({ authorization: `DPoP ${token}` })).toBe(401);
      expect(await status({ authorization: `DPoP ${token}`, dpop })).toBe(200);
      expect(await status({ authorization: `DPoP ${token}`, dpop })).toBe(401);
    });

    it('refuses a request that no route permits', async () => {
      const { send, issue, upstream } = await behind(program);
      expect((await send('GET /admin', bearer(issue()))).status).toBe(403);
      expect((await send('GET /health', { host: 'other.example' })).status).toBe(403);
      expect(upstream).toEqual([]);
    });

    it.each(['/health/../orders', '//health', '/orders%2f..%2fhealth', '/health;x', '/Health', '/health%00'])(
      'lets %s reach no upstream',
      async (path) => {
        const { send, issue, upstream } = await behind(program);
        const { status } = await send(`GET ${path}`, bearer(issue()));
        expect([400, 403]).toContain(status);
        expect(upstream).toEqual([]);
      },
    );

    it('lets no request describe another one', async () => {
      const { send, upstream } = await behind(program);
      const { status } = await send('GET /orders', {
        'X-Forwarded-Method': 'GET',
        'X-Forwarded-Uri': '/health',
        'X-Forwarded-Host': 'api.example',
      });
      expect([status, upstream]).toEqual([401, []]);
    });

    it('passes no header on with which a client would have the API read another request', async () => {
      const { send, issue, upstream } = await behind(program);
      for (const target of ['GET /orders', 'GET /health'])
        expect((await send(target, { ...bearer(issue()), ...OVERRIDES })).status).toBe(200);
      expect(upstream).toHaveLength(2);
      for (const { headers, rawHeaders } of upstream) {
        expect(rawHeaders.filter((_text, index) => rawHeaders[index + 1] === SPOOFED)).toEqual([]);
        expect(headers['x-forwarded-proto']).toBe('http');
        // In place of a loopback address, Envoy sends another one of the machine.
        expect(headers['x-forwarded-for']).toMatch(/^[\d.]+$/);
        expect(headers['x-forwarded-host'] ?? 'api.example').toBe('api.example');
      }
    });

    it('passes a target in absolute form on as a path, or refuses it', async () => {
      const { send, issue, upstream } = await behind(program);
      const { status } = await send('GET http://api.example/orders?a=b', bearer(issue()));
      expect([200, 400, 403]).toContain(status);
      expect(upstream.map(({ target }) => target)).toEqual(status === 200 ? ['GET /orders?a=b'] : []);
    });

    it('does not ask to try again a request whose headers are too large', async () => {
      const { send } = await behind(program);
      const large = { 'X-A': 'a'.repeat(7_000), 'X-B': 'b'.repeat(7_000), 'X-C': 'c'.repeat(7_000) };
      const { status, headers } = await send('GET /health', large);
      expect([400, 431]).toContain(status);
      expect(headers['retry-after']).toBeUndefined();
    });

    it('refuses with 503 and Retry-After while introspection is gone', async () => {
      const { send, issue, endpoint, upstream } = await behind(program);
      const token = issue();
      endpoint.stop();
      const { status, headers } = await send('GET /orders', bearer(token));
      expect([status, headers['retry-after'], upstream]).toEqual([503, '1', []]);
    });

    it('refuses with 503 and Retry-After while the service is gone, public routes too', async () => {
      const { send, issue, stop, upstream } = await behind(program);
      const token = issue();
      await stop();
      for (const target of ['GET /orders', 'GET /health']) {
        const { status, headers } = await send(target, bearer(token));
        expect([status, headers['retry-after']]).toEqual([503, '1']);
      }
      expect(upstream).toEqual([]);
    });

    it('serves the metadata of the resource', async () => {
      const { send } = await behind(program);
      const { status, body } = await send('GET /.well-known/oauth-protected-resource');
      expect([status, JSON.parse(body).resource]).toEqual([200, API]);
    });

    it('lets pages of every origin read the metadata of the resource', async () => {
      const { send, upstream } = await behind(program);
      const { status, headers } = await send('OPTIONS /.well-known/oauth-protected-resource', {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      });
      expect([status, headers['access-control-allow-origin'], upstream]).toEqual([204, '*', []]);
    });

    it('replaces the access token by a signed one, if it is configured so', async () => {
      const { privateKey } = generateKeyPairSync('ed25519');
      const UPSTREAM_TOKEN_KEYS = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const { send, issue, upstream, servicePort } = await behind(program, { UPSTREAM_TOKEN_KEYS });
      expect((await send('GET /orders', bearer(issue()))).status).toBe(200);
      const [, token = ''] = upstream[0]?.headers.authorization?.split(' ') ?? [];
      const keys = createRemoteJWKSet(new URL(`http://127.0.0.1:${servicePort}/jwks`));
      const options = { issuer: ISSUER, audience: API, typ: 'at+jwt', currentDate: new Date(NOW * 1000) };
      expect((await jwtVerify(token, keys, options)).payload.sub).toBe('ada');
    });
  });
}

/** The identity headers that say something, in whatever spelling servers may read as theirs. */
function identityIn(rawHeaders: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  rawHeaders.forEach((name, index) => {
    const value = rawHeaders[index + 1] ?? '';
    if (index % 2 === 1 || !/^x[^a-z0-9]token[^a-z0-9]/.test(name) || value === '') return;
    found[name] = [...(found[name] ?? []), value];
  });
  return found;
}
