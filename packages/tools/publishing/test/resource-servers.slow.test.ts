import { createHash, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { freePort, installDebianPackage } from '@vestibule/local-services';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../src/root.js';
import { type FaultGateway, openFaultGateway } from './walk/fault-gateway.js';
import { requestPath } from './walk/raw-request.js';
import { type PageWalk, walkPage } from './walk/walk-page.js';

const PAGE = readFileSync(join(ROOT, 'packages', 'guides', 'resource-servers.md'), 'utf8');
const NJS = '/usr/lib/nginx/modules/ngx_http_js_module.so';
/** Each sample by its heading, with its port on the page. */
const SAMPLES = [
  ['openid-client', '9001'],
  ['oauth4webapi', '9002'],
  ['Passport', '9003'],
  ['Fastify', '9004'],
  ['nginx', '9005'],
  ['Signed responses', '9006'],
] as const;
const ENDPOINT_PORT = '8080';
const API = 'https://orders.example';
const WAIT_MS = 60_000;
/** Two attempts of a second each, on a machine that is busy. */
const TIME_LIMIT_MS = 6_000;
const INACTIVE_PER_MINUTE = 120;

interface ApiResponse {
  readonly status: number;
  readonly challenge: string | null;
  readonly retryAfter: string | null;
  readonly body: string;
}

describe('the page on checking tokens in an API', () => {
  const ports = new Map<string, string>();
  const issued: string[] = [];
  let folder: string;
  let walk: PageWalk;
  let gateway: FaultGateway;
  let services: string;
  let credentials: { readonly client_id: string; readonly client_secret: string };

  beforeAll(async () => {
    if (!existsSync(NJS))
      await installDebianPackage({
        name: 'libnginx-mod-http-js',
        missing: 'nginx has no njs: install it (Debian and Ubuntu: apt-get install libnginx-mod-http-js).',
        log: () => undefined,
      });
    for (const port of [ENDPOINT_PORT, '9000', ...SAMPLES.map(([, port]) => port)])
      ports.set(port, String(await freePort()));
    const servicePort = await freePort();
    services = `http://127.0.0.1:${servicePort}`;
    gateway = await openFaultGateway(Number(ports.get(ENDPOINT_PORT)), servicePort);
    folder = mkdtempSync(join(tmpdir(), 'vestibule-orders-'));
    const environment = {
      DATA_DIR: join(folder, '.vestibule'),
      BASE_URL: `http://localhost:${ports.get(ENDPOINT_PORT)}`,
      PORT: String(servicePort),
      MANAGEMENT_PORT: '0',
      RATE_LIMITS_ENABLED: 'true',
      INTROSPECTION_INACTIVE_PER_MINUTE: String(INACTIVE_PER_MINUTE),
    };
    walk = walkPage({ page: PAGE, folder, environment, replaced: ports });
  });

  afterAll(async () => {
    await walk.stop();
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
  /** Sends a request with the master token, and gives the body of the response. */
  const master = async (path: string, body: object) => {
    const headers = {
      authorization: `Bearer ${read('.vestibule/master-token')}`,
      'content-type': 'application/json',
    };
    const response = await fetch(`${services}/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text || '{}');
  };
  const issue = async (facts: object = {}): Promise<string> => {
    const { client_id } = credentials;
    const usual = { client_id, sub: 'ada', scope: 'orders:read', aud: [API], expires_in: 3600 };
    const { access_token: token } = await master('direct-authz', { ...usual, ...facts });
    issued.push(token);
    return token;
  };
  const call = async (port: string, authorization?: string): Promise<ApiResponse> => {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await fetch(`http://127.0.0.1:${ports.get(port)}/orders`, { headers });
    const { status } = response;
    const challenge = response.headers.get('www-authenticate');
    const body = await response.text();
    return { status, challenge, retryAfter: response.headers.get('retry-after'), body };
  };
  const introspect = ({ client_id, client_secret }: typeof credentials, token: string, accept = '*/*') => {
    const headers = { accept, authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
    const body = new URLSearchParams({ token });
    return fetch(`${services}/token/introspect`, { method: 'POST', headers, body });
  };
  const registerApi = (): Promise<typeof credentials> => {
    const scope = `http://localhost:${ports.get(ENDPOINT_PORT)}/token/introspect`;
    return master('clients', { grant_types: ['client_credentials'], scope });
  };
  const callWith = (port: string, token: string) => call(port, `Bearer ${token}`);

  const ALLOWED = { status: 200, body: 'orders of ada\n' };
  const ANONYMOUS = { status: 401, challenge: 'Bearer realm="orders"' };
  const INVALID = { status: 401, challenge: 'Bearer realm="orders", error="invalid_token"' };
  const UNAVAILABLE = { status: 503, challenge: null, retryAfter: '1' };

  it.each([
    'The first request',
    'The rules',
    ...SAMPLES.map(([heading]) => heading),
    'Using a token once',
    'Tokens bound to a key',
  ])('works as written: %s', async (heading) => {
    await walk.section(heading);
    credentials = JSON.parse(read('orders-api.json'));
  });

  describe.each(SAMPLES)('the sample for %s', (_heading, port) => {
    afterEach(() => gateway.next('pass'));

    it.each(['identifier', 'jwt'])('accepts a live token: %s', async (format) => {
      expect(await callWith(port, await issue({ format }))).toMatchObject(ALLOWED);
    });

    it('accepts the scheme in any case', async () => {
      expect(await call(port, `bearer ${await issue()}`)).toMatchObject(ALLOWED);
    });

    it('refuses requests without a bearer token with 401, without an error (RFC 6750 section 3)', async () => {
      expect(await call(port)).toMatchObject(ANONYMOUS);
      expect(await call(port, 'Basic YTpi')).toMatchObject(ANONYMOUS);
    });

    it.each([
      ['made up', () => 'x'.repeat(43)],
      ['too long for the endpoint', () => '+'.repeat(6_000)],
      ['not valid yet', () => issue({ nbf: Math.floor(Date.now() / 1_000) + 600 })],
      ['without an audience', () => issue({ aud: undefined })],
      ['bound to a key', () => issue({ cnf: { jkt: 'x'.repeat(43) } })],
      ['bound to a certificate', () => issue({ cnf: { 'x5t#S256': 'x'.repeat(43) } })],
    ])('refuses a token that is %s with 401', async (_case, token) => {
      expect(await callWith(port, await token())).toMatchObject(INVALID);
    });

    it('refuses a token for another API with 401', async () => {
      const { client_id } = await registerApi();
      expect(await callWith(port, await issue({ aud: [client_id] }))).toMatchObject(INVALID);
    });

    it('refuses a token without the scope with 403, and names the scope', async () => {
      expect(await callWith(port, await issue({ scope: 'orders:readers orders:write' }))).toMatchObject({
        status: 403,
        challenge: 'Bearer realm="orders", error="insufficient_scope", scope="orders:read"',
      });
    });

    it.each(['identifier', 'jwt'])('refuses a token after its revocation: %s', async (format) => {
      const token = await issue({ format });
      expect(await callWith(port, token)).toMatchObject(ALLOWED);
      await master('direct-authz/revoke', { token });
      await expect.poll(() => callWith(port, token), { timeout: 60_000 }).toMatchObject(INVALID);
    });

    it('keeps connections: 20 requests need at most one more or two', async () => {
      const token = await issue();
      await callWith(port, token);
      const before = gateway.accepted();
      for (let count = 0; count < 20; count++) await callWith(port, token);
      expect(gateway.accepted() - before).toBeLessThanOrEqual(2);
    });

    it('responds with 503 while the endpoint is stopped, and works when it is back', async () => {
      const token = await issue();
      await gateway.stop();
      const meanwhile = await callWith(port, token);
      await gateway.restart();
      expect(meanwhile).toMatchObject(UNAVAILABLE);
      expect(await callWith(port, token)).toMatchObject(ALLOWED);
    });

    it('responds with 503 in time while the endpoint is frozen', async () => {
      gateway.next('freeze');
      const start = performance.now();
      expect(await callWith(port, await issue())).toMatchObject(UNAVAILABLE);
      expect(performance.now() - start).toBeLessThan(TIME_LIMIT_MS);
    });

    it.each([
      ['500', { response: 'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n' }],
      ['no response', 'freeze' as const],
    ])('tries once more on another connection after %s', async (_case, fate) => {
      const token = await issue();
      gateway.next(fate, 'pass');
      expect(await callWith(port, token)).toMatchObject(ALLOWED);
      gateway.next(fate);
      expect(await callWith(port, token)).toMatchObject(UNAVAILABLE);
    });

    it('responds with 503 to 429, with the Retry-After of the endpoint', async () => {
      const token = await issue();
      gateway.next({
        response: 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n',
      });
      expect(await callWith(port, token)).toMatchObject({ status: 503, retryAfter: '7' });
    });

    it.each([
      ['a page', 'text/html', '<p>It works'],
      ['a list', 'application/json', '[]'],
      ['nothing', 'application/json', ''],
    ])('responds with 503 if the response is %s', async (_case, type, body) => {
      const response = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      gateway.next({ response });
      expect((await callWith(port, await issue())).status).toBe(503);
    });
  });

  describe('the sample for signed responses', () => {
    afterEach(() => gateway.next('pass'));
    const replied = async (type: string, body: string) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
      gateway.next({ response: head + body });
      return callWith('9006', await issue());
    };
    const TYPE = 'application/token-introspection+jwt';
    const signedFor = async (caller: typeof credentials, token: string) =>
      (await introspect(caller, token, TYPE)).text();

    it('responds with 503 to a response without a signature', async () => {
      const members = { active: true, scope: 'orders:read', aud: [API], sub: 'ada' };
      expect(await replied('application/json', JSON.stringify(members))).toMatchObject(UNAVAILABLE);
    });

    it('responds with 503 to a changed response, and to one for another caller', async () => {
      // The keys are fetched through the gateway, once.
      const token = await issue();
      expect(await callWith('9006', token)).toMatchObject(ALLOWED);
      const own = await signedFor(credentials, token);
      expect(await replied(TYPE, own)).toMatchObject(ALLOWED);
      const [header, , signature] = own.split('.');
      const claims = JSON.parse(Buffer.from(own.split('.')[1] ?? '', 'base64url').toString());
      const changed = Buffer.from(JSON.stringify({ ...claims, iat: claims.iat + 1 })).toString('base64url');
      expect(await replied(TYPE, `${header}.${changed}.${signature}`)).toMatchObject(UNAVAILABLE);
      const foreign = await signedFor(await registerApi(), await issue({ aud: undefined }));
      expect(await replied(TYPE, foreign)).toMatchObject(UNAVAILABLE);
    });
  });

  it('nginx sends no other path of the API on', async () => {
    const headers = { authorization: `Bearer ${await issue()}` };
    const status = (path: string) =>
      requestPath(`http://127.0.0.1:${ports.get('9005')}`, path, 'GET', headers);
    expect(await status('/orders')).toBe(200);
    // 404, or 403 where nginx may not look for a file of that name.
    for (const path of ['/orders-of-others', '/orders/../admin', '/orders/..%2fadmin', '/_introspect'])
      expect([403, 404]).toContain(await status(path));
  });

  it('shows that auth_request on the endpoint itself lets every token through', async () => {
    const configuration = walk.file('nginx.conf');
    const port = String(await freePort());
    const wrong = configuration
      .replace('auth_request /_authorize;', 'auth_request /_introspect;')
      .replace('proxy_set_body $form;', 'proxy_set_body token=made-up;')
      .replaceAll(ports.get('9005') ?? '', port)
      .replaceAll('nginx.pid', 'wrong.pid');
    walk.write('wrong.conf', wrong);
    const nginx = walk.start(`nginx -p "$PWD" -c wrong.conf -g 'daemon off;'`);
    const status = () =>
      fetch(`http://127.0.0.1:${port}/orders`, { headers: { authorization: 'Bearer made-up' } }).then(
        (response) => response.status,
        () => 0,
      );
    await expect.poll(status, { timeout: WAIT_MS }).toBe(200);
    await nginx.stop();
  });

  it('checks the key that a token is bound to', async () => {
    const { isBoundTo, isProven } = await import(pathToFileURL(join(folder, 'bound.js')).href);
    const [pem = '', otherPem = ''] = rootCertificates;
    const certificate = new X509Certificate(pem).raw;
    const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('base64url');
    const cnf = { 'x5t#S256': sha256(certificate) };
    expect([
      isBoundTo(cnf, certificate),
      isBoundTo(cnf, new X509Certificate(otherPem).raw),
      isBoundTo(undefined, certificate),
    ]).toEqual([true, false, false]);

    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
    const token = await issue({ cnf: { jkt: sha256(JSON.stringify({ crv, kty, x, y })) } });
    const proof = (claims: object) => {
      const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { crv, kty, x, y } };
      const usual = { jti: '1', htm: 'GET', htu: API, iat: Date.now() / 1_000, ath: sha256(token) };
      const parts = [header, { ...usual, ...claims }].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      const signature = sign('sha256', Buffer.from(parts.join('.')), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      });
      return [...parts, signature.toString('base64url')].join('.');
    };
    const claims = JSON.parse(await (await introspect(credentials, token)).text());
    const seen = new Set<string>();
    const isFirstUse = (jti: string) => !seen.has(jti) && seen.add(jti) !== undefined;
    const proven = (changes: object, bound = claims.cnf) =>
      isProven(bound, token, proof(changes), { method: 'GET', url: API, isFirstUse });
    expect(await proven({})).toBe(true);
    expect(await proven({})).toBe(false);
    const changes = [{ htm: 'POST' }, { htu: 'https://other.example' }, { ath: sha256('other') }];
    for (const change of changes) expect(await proven({ jti: '2', ...change })).toBe(false);
    expect(await proven({ jti: '2' }, { jkt: 'other' })).toBe(false);
    await expect(proven({ jti: '2', iat: Date.now() / 1_000 - 120 })).rejects.toThrow();
    expect(await proven({ jti: '2' })).toBe(true);
  });

  it('works as written: Trying and testing', async () => {
    await walk.section('Trying and testing');
  });

  it('responds with 503 while it is throttled, and still accepts tokens known as active', async () => {
    const token = await issue();
    for (const [, port] of SAMPLES) expect(await callWith(port, token)).toMatchObject(ALLOWED);
    const flood = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => introspect(credentials, String(index).padStart(43, 'x'))),
      );
    const statuses = (await flood(2 * INACTIVE_PER_MINUTE)).map(({ status }) => status);
    expect(statuses).toContain(429);
    for (const [, port] of SAMPLES) {
      const guessed = async () => {
        await flood(20);
        return (await callWith(port, 'x'.repeat(42))).status;
      };
      await expect.poll(guessed, { timeout: WAIT_MS }).toBe(503);
      expect(await callWith(port, token)).toMatchObject(ALLOWED);
    }
  });

  it('responds with 503 while the secret of the API is wrong, and reports that', async () => {
    const wrong = 'the-wrong-secret-of-the-api';
    const environment = { CLIENT_SECRET: wrong };
    const commands: Record<string, string> = {
      'openid-client': `node --env-file=api.env api.js ./with-openid-client.js ${ports.get('9001')}`,
      oauth4webapi: `node --env-file=api.env api.js ./with-oauth4webapi.js ${ports.get('9002')}`,
      Passport: 'node --env-file=api.env with-passport.js',
      Fastify: 'node --env-file=api.env with-fastify.js',
      nginx: `nginx -p "$PWD" -c nginx.conf -g 'daemon off;'`,
      'Signed responses': `node --env-file=api.env api.js ./with-jose.js ${ports.get('9006')}`,
    };
    const basic = btoa(`${credentials.client_id}:${wrong}`);
    walk.write('nginx-credentials.conf', `set $credentials 'Basic ${basic}';`);
    issued.push(wrong, basic);
    const token = await issue();
    for (const [heading, port] of SAMPLES) {
      await walk.background(heading).stop();
      const started = walk.start(commands[heading] ?? '', environment);
      await expect
        .poll(() => callWith(port, token).catch(() => undefined), { timeout: WAIT_MS })
        .toMatchObject(UNAVAILABLE);
      expect(started.output()).toMatch(/introspection failed: (401|status 401)/);
      await started.stop();
    }
  });

  it('prints no token and no secret', () => {
    const { client_secret: secret } = credentials;
    const basic = btoa(`${credentials.client_id}:${secret}`);
    const secrets = [secret, basic, read('.vestibule/master-token'), ...issued];
    for (const text of secrets) expect(walk.output()).not.toContain(text);
  });
});
