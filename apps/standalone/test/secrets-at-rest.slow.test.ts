import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startRedis } from '@vestibule/local-services';
import * as openid from 'openid-client';
import { expect, it, onTestFinished } from 'vitest';
import { issue, type Members, type ResourceServer, registerResourceServer } from './support/api.js';
import { recordCredentials } from './support/credential-recorder.js';
import { witnessRedis } from './support/redis-witness.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';
import { openWebBrowser } from './support/web-browser.js';

/** Prefix of every wrong credential. */
const MARK = 'canary-of-the-test-of-secrets';
const PASSWORD = `${MARK}-password`;
const REDIRECT_URI = 'https://app.example/cb';

/** A request with its options. */
interface Request {
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

function conversation(baseUrl: string) {
  const say = async (target: string, { authorization, headers, json, form }: Request = {}) => {
    const [method = '', path] = target.split(' ', 2);
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: typeof json === 'string' ? json : JSON.stringify(json) }),
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    });
    const text = await response.text();
    const body: Members = /^\{/.test(text) ? JSON.parse(text) : {};
    return { status: response.status, body, text };
  };
  let count = 0;
  const wrong = () => {
    count += 1;
    return `${MARK}-${count}-`.padEnd(43, 'x');
  };
  return { say, wrong };
}

type Conversation = ReturnType<typeof conversation>;

const CODE = { redirect_uris: ['https://a.example/'] };

// A reader of the disk, the log, the metrics or Redis must not be able to act as a client, a user or an operator.
it('leaves no credential in the files of the database, in Redis, the output or the metrics, whatever was requested', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const witness = await witnessRedis(redis.url);
  onTestFinished(witness.stop);
  const managementPort = String(await freePort());
  const stack = await startStandalone(folder.path, {
    MANAGEMENT_PORT: managementPort,
    REDIS_URL: redis.url,
    REGISTRATION_CREATED_STATUS: '201',
    DEMO_USERS: `alice:${PASSWORD}`,
  });
  onTestFinished(async () => void (await stack.stop()));
  const recorder = recordCredentials();
  onTestFinished(recorder.stop);
  recorder.add(stack.masterToken);
  recorder.add(readFileSync(join(folder.path, 'encryption-keys'), 'utf8').trim());

  const talk = conversation(stack.baseUrl);
  const master = `Bearer ${stack.masterToken}`;
  const server = await registerResourceServer(stack);
  await registrationRuns(talk, master);
  await wrongCredentials(talk, { master, id: server.id });
  for (const body of await tokenRuns(talk, { master, server })) recorder.add(body);
  await logInRuns(stack);

  const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
  expect(metrics).toContain('http_');
  expect(witness.heard()).toContain('"NX"');
  // A stopped server has flushed everything: tables, indexes and the write-ahead log.
  await stack.stop();
  const stored = filesBelow(join(folder.path, 'postgres')).map((file) => readFileSync(file));
  expect(stored.some((bytes) => bytes.includes(server.id))).toBe(true);
  expect(recorder.credentials.size).toBeGreaterThan(40);
  const places = {
    database: Buffer.concat(stored),
    redis: Buffer.from(witness.heard()),
    output: Buffer.from(stack.output()),
    metrics: Buffer.from(metrics),
  };
  expect(leaks([...recorder.credentials, MARK], places)).toEqual([]);
});

/** Every operation on registrations, with each kind of token, valid and invalid. */
async function registrationRuns({ say, wrong }: Conversation, master: string): Promise<void> {
  for (const format of ['identifier', 'jwt']) {
    const issued = await say('POST /direct-authz', {
      authorization: master,
      json: { scope: 'client-reg', format, uses: 2 },
    });
    const initial = { authorization: `Bearer ${issued.body['access_token']}` };
    const json = { ...CODE, preferred_client_secret: wrong() };
    const once = { ...initial, json, headers: { 'idempotency-key': `"key-${format}"` } };
    const registered = await say('POST /clients', once);
    expect(registered.status).toBe(201);
    expect((await say('POST /clients', once)).text).toBe(registered.text);
    await say('POST /clients?dry_run=true', { ...initial, json });
    await say('POST /clients', { ...initial, json: CODE });
    expect((await say('POST /clients', { ...initial, json: CODE })).status).toBe(401);
    await managementRuns({ say, wrong }, { registered: registered.body, master });
  }
}

/** Reads, changes and deletes one registration, with valid and invalid requests. */
async function managementRuns(
  { say, wrong }: Conversation,
  { registered, master }: { readonly registered: Members; readonly master: string },
): Promise<void> {
  const path = `/clients/${registered['client_id']}`;
  const own = { authorization: `Bearer ${registered['registration_access_token']}` };
  const read = await say(`GET ${path}`, own);
  expect(read.body['client_secret']).toBe(registered['client_secret']);
  const updated = await say(`PUT ${path}`, { ...own, json: { ...read.body, client_name: 'B' } });
  expect(updated.status).toBe(200);
  const last = { authorization: `Bearer ${updated.body['registration_access_token']}` };
  await say(`PUT ${path}`, { ...last, json: { ...read.body, client_secret: wrong() } });
  await say(`PUT ${path}`, { ...last, json: `{"client_secret":"${wrong()}"` });
  await say(`PUT ${path}`, { ...last, json: { ...updated.body, jwks: { k: wrong() } } });
  await say(`GET ${path}`, last);
  await say(`GET ${path}`, own);
  for (const target of [`GET ${path}/status`, 'GET /clients?limit=1', 'GET /clients'])
    await say(target, { authorization: master });
  expect((await say(`DELETE ${path}`, last)).status).toBe(204);
  expect((await say(`DELETE ${path}`, last)).status).toBe(401);
}

/** A wrong credential in every place where one can be sent, and in some where none should be. */
async function wrongCredentials(
  { say, wrong }: Conversation,
  { master, id }: { readonly master: string; readonly id: string },
): Promise<void> {
  const targets = [
    'POST /clients',
    'GET /clients',
    `GET /clients/${id}`,
    `PUT /clients/${id}`,
    'DELETE /clients/unknown',
    'POST /direct-authz',
    'POST /direct-authz/revoke',
    'POST /direct-authz/sessions',
    'POST /token/introspect',
    'POST /token',
    'GET /unknown',
  ];
  for (const target of targets) {
    const withBody = /^P/.test(target);
    for (const authorization of [
      `Bearer ${wrong()}`,
      `Basic ${Buffer.from(`${id}:${wrong()}`).toString('base64')}`,
      `Basic ${wrong()}`,
      `Bearer "${wrong()}"`,
      wrong(),
    ])
      await say(target, { authorization, ...(withBody && { json: { password: wrong() } }) });
    await say(`${target}?access_token=${wrong()}`, {
      authorization: master,
      ...(withBody && { json: [wrong()] }),
    });
    await say(`${target}/${wrong()}`, { authorization: master, headers: { cookie: `s=${wrong()}` } });
  }
}

/**
 * Issues, introspects in every way and revokes tokens of every kind.
 * @returns the responses that are JWTs
 */
async function tokenRuns(
  { say, wrong }: Conversation,
  { master, server }: { readonly master: string; readonly server: ResourceServer },
): Promise<readonly string[]> {
  const basic = { authorization: `Basic ${Buffer.from(`${server.id}:${server.secret}`).toString('base64')}` };
  const issued = async (json: Members) =>
    String((await say('POST /direct-authz', { authorization: master, json })).body['access_token']);
  const introspect = (form: Readonly<Record<string, string>>, rest: Request = basic) =>
    say('POST /token/introspect', { ...rest, form });
  const responses: string[] = [];
  for (const format of ['identifier', 'jwt']) {
    const token = await issued({ client_id: server.id, sub: 'alice', scope: 'openid read', format });
    for (const accept of ['application/json', 'application/token-introspection+jwt', 'application/jwt']) {
      const { text, status } = await introspect({ token }, { ...basic, headers: { accept } });
      expect(status).toBe(200);
      if (accept !== 'application/json') responses.push(text);
    }
    const assertion = { client_assertion_type: 'x', client_assertion: wrong() };
    await introspect({ token, client_secret: wrong() });
    await introspect({ token, client_id: server.id, client_secret: wrong() }, {});
    await introspect({ token, ...assertion }, {});
    await introspect({ token: wrong() });
    await say('POST /direct-authz/revoke', { authorization: master, json: { token: wrong() } });
    await say('POST /direct-authz/revoke', { authorization: master, json: { token } });
    await introspect({ token });
  }
  await introspect({ token: await issued({ client_id: server.id, scope: 'read' }), revoke: 'true' });
  await say('POST /direct-authz', { authorization: master, json: { client_id: wrong(), scope: 'read' } });
  return responses;
}

/** A login with a wrong and a correct password, and the resulting tokens. */
async function logInRuns(stack: Standalone): Promise<void> {
  const { baseUrl } = stack;
  const initialAccessToken = await issue(stack, { scope: 'client-reg' });
  const config = await openid.dynamicClientRegistration(
    new URL(baseUrl),
    {
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'openid email',
    },
    undefined,
    { initialAccessToken, execute: [openid.allowInsecureRequests] },
  );
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const address = await openid.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid email',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  await expect(openWebBrowser(baseUrl).logIn(address.href, 'alice', `${PASSWORD}!`)).rejects.toThrow();
  const browser = openWebBrowser(baseUrl);
  const landed = await browser.logIn(address.href, 'alice', PASSWORD);
  const checks = { pkceCodeVerifier, idTokenExpected: true };
  const tokens = await openid.authorizationCodeGrant(config, landed, checks);
  const refreshed = await openid.refreshTokenGrant(config, String(tokens.refresh_token));
  await openid.fetchUserInfo(config, refreshed.access_token, 'alice');
  await openid.tokenRevocation(config, refreshed.access_token);
  await expect(openid.authorizationCodeGrant(config, landed, checks)).rejects.toThrow();
}

/** The places that contain a credential, as it is or in an encoding. */
function leaks(credentials: readonly string[], places: Readonly<Record<string, Buffer>>): readonly string[] {
  return credentials.flatMap((credential) => {
    expect(credential.length, credential).toBeGreaterThan(20);
    return Object.entries(places).flatMap(([place, bytes]) =>
      formsOf(credential).some((form) => bytes.includes(form)) ? [`${place}: ${credential}`] : [],
    );
  });
}

function formsOf(credential: string): readonly string[] {
  const bytes = Buffer.from(credential);
  return [credential, bytes.toString('hex'), bytes.toString('base64url').slice(0, -1)];
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}
