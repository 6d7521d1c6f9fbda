import { createServer, type RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { startJoinedHost } from './joined-host.js';

const ISSUER = 'https://as.example';

/** A provider of a team with a member of its own that only its instances can read. */
class TeamProvider extends Provider {
  readonly #kids: readonly string[];

  constructor(keys: readonly JWK[]) {
    super(ISSUER, { jwks: { keys }, clientDefaults: { id_token_signed_response_alg: 'ES256' } });
    this.#kids = keys.map(({ kid }) => kid ?? '');
  }

  signsWith(): string {
    return this.#kids[0] ?? '';
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A joined provider over a key ring that the test rotates. The first key signs. */
async function createFixture() {
  const keyPair = async (kid: string) => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    return { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' } as JWK & { kty: string };
  };
  const names = ['two', 'three'];
  const ring = { keys: [await keyPair('one')], fails: false };
  const problems: unknown[] = [];
  const host = await startJoinedHost<TeamProvider>({
    keys: {
      publicJwks: () => ({ keys: ring.keys }),
      signingKey: () => ({ algorithm: 'ES256', kid: ring.keys[0]?.kid }) as never,
    },
    openPrivateKeys: async () => ring.keys,
    create: (keys) => {
      if (ring.fails) throw new Error('cannot be created');
      return new TeamProvider(keys);
    },
    onProblem: (problem) => problems.push(problem),
    refuse: () => false,
  });
  onTestFinished(host.stop);
  const rotate = async () => {
    ring.keys = [await keyPair(names.shift() ?? ''), ...ring.keys];
  };
  return { host, ring, rotate, problems };
}

/** The key set that a server publishes. */
async function publishedBy(listener: RequestListener): Promise<{ status: number; kids: readonly string[] }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const response = await fetch(`http://127.0.0.1:${port}/jwks`);
  const { keys = [] } = JSON.parse(await response.text()) as { keys?: readonly JWK[] };
  return { status: response.status, kids: keys.map(({ kid }) => kid ?? '') };
}

it('follows the keys without any request, for a reference that was kept too', async () => {
  const { host, rotate } = await createFixture();
  const { provider } = host;
  const { signsWith } = provider;
  expect([provider.signsWith(), provider instanceof TeamProvider]).toEqual(['one', true]);
  await rotate();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(provider.signsWith()).toBe('two');
  // A method that was taken from it before stays with its instance.
  expect(signsWith()).toBe('one');
});

it.each<[string, (provider: TeamProvider) => RequestListener]>([
  ['its callback', (provider) => provider.callback()],
  ['its middleware, mounted in an application of Koa', mountedIn],
])('follows the keys with each request to %s', async (_case, mount) => {
  const { host, rotate } = await createFixture();
  const listener = mount(host.provider);
  expect((await publishedBy(listener)).kids).toEqual(['one']);
  await rotate();
  expect((await publishedBy(listener)).kids).toEqual(['two', 'one']);
});

/** Another application of Koa, which is what `koa-mount` composes the middleware into. */
function mountedIn({ middleware }: TeamProvider): RequestListener {
  const outer = new Provider('https://outer.example', {});
  for (const step of middleware) outer.use(step);
  return outer.callback();
}

it('follows the keys with each request to an instance that createProvider kept', async () => {
  const { host, rotate } = await createFixture();
  const listener = host.first.callback();
  await rotate();
  expect((await publishedBy(listener)).kids).toEqual(['two', 'one']);
});

it('finishes with the models of the present provider', async () => {
  const { host } = await createFixture();
  const grant = new host.provider.Grant({ accountId: 'ada', clientId: 'shop' });
  expect([grant.accountId, grant instanceof host.first.Grant]).toEqual(['ada', true]);
  expect(host.provider.cookieName('session')).toBe('_session');
});

it.each<[string, (provider: TeamProvider) => unknown]>([
  ['on', (provider) => provider.on('grant.success', () => undefined)],
  ['use', (provider) => provider.use(async (_ctx, next) => next())],
  ['silent', (provider) => Object.assign(provider, { silent: true })],
])('refuses a change that would be lost with the next keys: %s', async (name, change) => {
  const { host } = await createFixture();
  expect(() => change(host.provider)).toThrow(
    `joined.provider.${name}: must be set or called in createProvider`,
  );
});

it('responds with 503 and no reason while no provider can sign what verifies, and recovers', async () => {
  const { host, ring, rotate, problems } = await createFixture();
  const listener = host.provider.callback();
  ring.fails = true;
  await rotate();
  expect((await publishedBy(listener)).kids).toEqual(['one']);
  expect(problems).toHaveLength(1);
  ring.keys = ring.keys.slice(0, 1);
  expect(await publishedBy(listener)).toEqual({ status: 503, kids: [] });
  ring.fails = false;
  await rotate();
  expect((await publishedBy(listener)).status).toBe(200);
});
