import { updateClient } from '@vestibule/clients/management';
import { createLogger } from '@vestibule/http/observability';
import { JWT_BEARER_ASSERTION_TYPE } from '@vestibule/protocol/constants';
import { jwtVerify, SignJWT } from 'jose';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER, MASTER, type TestApp } from '../support/build-test-app.js';
import {
  authorizationAddress,
  aVerifier,
  type CodeClient,
  exchange,
  logIn,
  postForm,
} from '../support/code-flow.js';

const MACHINE = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [], scope: 'read' };
const TOKEN_REQUEST = { grant_type: 'client_credentials' };
const GOOD = { status: 200 };
const REFUSED = { status: 401, body: { error: 'invalid_client' } };

// The library reads the clock of the machine, so that clock is frozen.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
});
const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + 1000 * seconds);

/** A server with the setting, and a client of it. */
async function createFixture(
  settings: Readonly<Record<string, string>>,
  metadata: Readonly<Record<string, string>> = {},
) {
  const here = await buildTestApp(settings, false, true);
  const client = await here.register({ ...MACHINE, ...metadata });
  return { ...here, client };
}

/** Updates a client with this overlap of replaced secrets, and returns it with its new secret. */
async function replaceSecret(
  { registration }: Pick<TestApp, 'registration'>,
  { client_id }: CodeClient,
  clientSecretOverlapSeconds: number,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<CodeClient> {
  const deps = { ...registration, settings: { ...registration.settings, clientSecretOverlapSeconds } };
  const body = { ...MACHINE, ...metadata, client_id };
  const { information } = await updateClient(deps, { id: client_id, token: MASTER, body });
  return { client_id, client_secret: String(information['client_secret']) };
}

type Ask = (app: TestApp['app'], client: CodeClient) => ReturnType<typeof postForm>;

/** One request for each authentication method. */
const METHODS: Readonly<Record<string, Ask>> = {
  client_secret_basic: (app, client) => postForm(app, '/token', client, TOKEN_REQUEST),
  client_secret_post: (app, { client_id, client_secret = '' }) =>
    postForm(app, '/token', { client_id }, { ...TOKEN_REQUEST, client_secret }),
  client_secret_jwt: async (app, { client_id, client_secret }) =>
    postForm(
      app,
      '/token',
      { client_id },
      {
        ...TOKEN_REQUEST,
        client_assertion_type: JWT_BEARER_ASSERTION_TYPE,
        client_assertion: await new SignJWT({ jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(client_id)
          .setSubject(client_id)
          .setAudience(ISSUER)
          .setExpirationTime(Math.floor(Date.now() / 1000) + 60)
          .sign(Buffer.from(String(client_secret))),
      },
    ),
};

it.each(Object.entries(METHODS))(
  'takes a replaced secret within its overlap and not after it, and the new one at once (%s)',
  async (token_endpoint_auth_method, send) => {
    const metadata = { token_endpoint_auth_method };
    const {
      app,
      client: before,
      ...here
    } = await createFixture({ CLIENT_SECRET_OVERLAP_SECONDS: '120' }, metadata);
    expect(await send(app, before)).toMatchObject(GOOD);
    const after = await replaceSecret(here, before, 120, metadata);
    expect(after.client_secret).not.toBe(before.client_secret);
    expect(await send(app, after)).toMatchObject(GOOD);
    expect(await send(app, before)).toMatchObject(GOOD);
    passSeconds(119);
    expect(await send(app, before)).toMatchObject(GOOD);
    expect(await send(app, after)).toMatchObject(GOOD);
    passSeconds(1);
    expect(await send(app, before)).toMatchObject(REFUSED);
    expect(await send(app, after)).toMatchObject(GOOD);
    const wrong = { ...before, client_secret: `${before.client_secret}x` };
    expect(await send(app, wrong)).toMatchObject(REFUSED);
  },
);

it.each(Object.entries(METHODS))(
  'refuses at once a replaced secret that was given no overlap, and every one where the setting is 0 (%s)',
  async (token_endpoint_auth_method, send) => {
    const metadata = { token_endpoint_auth_method };
    for (const [setting, overlapSeconds] of [
      ['120', 0],
      ['0', 120],
    ] as const) {
      const settings = { CLIENT_SECRET_OVERLAP_SECONDS: setting };
      const { app, client: before, ...here } = await createFixture(settings, metadata);
      const after = await replaceSecret(here, before, overlapSeconds, metadata);
      expect(await send(app, before), setting).toMatchObject(REFUSED);
      expect(await send(app, after), setting).toMatchObject(GOOD);
    }
  },
);

it('accepts every secret within its overlap, and none of another client', async () => {
  const { app, client: first, ...here } = await createFixture({ CLIENT_SECRET_OVERLAP_SECONDS: '120' });
  const send = (client: CodeClient) => postForm(app, '/token', client, TOKEN_REQUEST);
  const second = await replaceSecret(here, first, 120);
  passSeconds(60);
  const third = await replaceSecret(here, first, 120);
  for (const client of [first, second, third]) expect(await send(client)).toMatchObject(GOOD);
  passSeconds(60);
  expect(await send(first)).toMatchObject(REFUSED);
  for (const client of [second, third]) expect(await send(client)).toMatchObject(GOOD);
  const { client_id } = await here.register(MACHINE);
  expect(await send({ ...second, client_id })).toMatchObject(REFUSED);
});

// A client that has not received the new secret yet could not verify a token made with it.
it('responds to a client that authenticates with a replaced secret under that secret', async () => {
  const metadata = {
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: ['https://app.example/cb'],
    id_token_signed_response_alg: 'HS256',
  };
  const { app, register, ...here } = await buildTestApp(
    { CLIENT_SECRET_OVERLAP_SECONDS: '120' },
    false,
    true,
  );
  const before = await register(metadata);
  const after = await replaceSecret(here, before, 120, metadata);
  for (const client of [before, after]) {
    const { verifier, challenge } = aVerifier();
    const landed = await logIn(openBrowser(app), authorizationAddress(client, challenge));
    const { status, body } = await exchange(app, client, landed, verifier);
    expect(status).toBe(200);
    await expect(
      jwtVerify(body.id_token, Buffer.from(String(client.client_secret)), { currentDate: new Date() }),
    ).resolves.toMatchObject({ payload: { sub: 'alice' } });
  }
});

it('logs no secret, and decrypts none to compare a plain one', async () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    service: 'authorization',
    destination: { write: (line) => void lines.push(line) },
  });
  const settings = { CLIENT_SECRET_OVERLAP_SECONDS: '120' };
  const { app, register, store, problems, ...here } = await buildTestApp(settings, logger, true);
  const before = await register(MACHINE);
  const after = await replaceSecret(here, before, 120);
  const open = vi.spyOn(store.encryptor, 'open');
  expect(await postForm(app, '/token', before, TOKEN_REQUEST)).toMatchObject(GOOD);
  expect(open).not.toHaveBeenCalled();
  passSeconds(120);
  expect(await postForm(app, '/token', before, TOKEN_REQUEST)).toMatchObject(REFUSED);
  const text = `${lines.join('')}${JSON.stringify(problems)}`;
  expect(lines).not.toEqual([]);
  for (const { client_secret = '' } of [before, after]) expect(text.includes(client_secret)).toBe(false);
});
