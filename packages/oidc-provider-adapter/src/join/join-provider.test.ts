import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore } from '@vestibule/database';
import { type ClientId, systemClock } from '@vestibule/protocol';
import { createTestDatabase } from '@vestibule/testkit';
import { storeClient } from '@vestibule/testkit/logins';
import { Provider } from 'oidc-provider';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { JoinError } from './join-error.js';
import type { JoinOptions } from './join-options.js';
import { joinProvider } from './join-provider.js';

const ISSUER = 'https://as.example/id';
const TEAM = { cookies: { keys: ['secret'] }, features: { devInteractions: { enabled: false } } };

/** Plain SQL on a database. A connection may still be closing when the database is dropped. */
function openPool(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString, max: 1 }).on('error', () => undefined);
}

type Options = JoinOptions<object, Provider>;

/** Options for a database of its own, as a team would set them. */
async function createOptions(deviations: Partial<Options> = {}) {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const problems: string[] = [];
  const options: Options = {
    issuer: ISSUER,
    databaseUrl: url,
    encryptionKeys: randomBytes(32).toString('base64url'),
    configuration: TEAM,
    createProvider: (configuration) => new Provider(ISSUER, configuration),
    openTimeoutMs: 60_000,
    onProblem: (problem) => problems.push(problem),
    ...deviations,
  };
  return { options, problems };
}

async function join(deviations: Partial<Options> = {}) {
  const { options, problems } = await createOptions(deviations);
  const joined = await joinProvider(options);
  const pool = openPool(options.databaseUrl);
  onTestFinished(async () => {
    await pool.end();
    await joined.close();
  });
  return { joined, problems, pool, options };
}

/** Serves a joined provider on loopback. */
async function serve(joined: Awaited<ReturnType<typeof join>>['joined'], originalPrefix = '') {
  const handle = joined.callback();
  const server = createServer((request, response) => {
    if (originalPrefix !== '') Object.assign(request, { originalUrl: originalPrefix + request.url });
    handle(request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** The published keys. */
async function keysOf(base: string): Promise<readonly { readonly alg: string }[]> {
  return JSON.parse(await (await fetch(`${base}/jwks`)).text()).keys;
}

async function refusal(options: Options): Promise<JoinError> {
  const error: unknown = await joinProvider(options).catch((thrown: unknown) => thrown);
  if (!(error instanceof JoinError)) throw new Error('not refused', { cause: error });
  return error;
}

describe('a joined provider', () => {
  it('knows a client as soon as it is registered, with the scope that it registered and no other', async () => {
    const { joined, pool } = await join({ configuration: { ...TEAM, scopes: ['openid', 'read', 'write'] } });
    expect(await joined.provider.Client.find('shop')).toBeUndefined();
    const metadata = { redirect_uris: ['https://shop.example/cb'], grant_types: ['authorization_code'] };
    const known = { ...metadata, response_types: ['code'], token_endpoint_auth_method: 'none' };
    await storeClient(pool, 'shop', { ...known, scope: 'openid read other' });
    await storeClient(pool, 'rs', { ...known, scope: 'other' });
    await storeClient(pool, 'any', known);
    const scopeOf = async (id: string) => (await joined.provider.Client.find(id))?.['scope'];
    expect([await scopeOf('shop'), await scopeOf('rs'), await scopeOf('any')]).toEqual([
      'openid read',
      'openid',
      undefined,
    ]);
  });

  it('publishes the endpoints of the services, and the shared signing keys without encryption keys', async () => {
    const { options } = await createOptions();
    const store = openStore({
      connection: { url: options.databaseUrl },
      keyEncryptionKeys: parseKeyEncryptionKeys(options.encryptionKeys),
      clock: systemClock,
      random: secureRandom,
      signingAlgorithms: ['ES256', 'EdDSA'],
      encryptionAlgorithms: ['RSA-OAEP-256', 'ECDH-ES'],
      onProblem: () => undefined,
    });
    onTestFinished(() => store.close());
    await store.opened;
    const joined = await joinProvider(options);
    onTestFinished(joined.close);
    const base = await serve(joined);
    const discovery = await (await fetch(`${base}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({
      issuer: ISSUER,
      registration_endpoint: `${ISSUER}/clients`,
      introspection_endpoint: `${ISSUER}/token/introspect`,
      end_session_endpoint: `${ISSUER}/logout`,
      backchannel_logout_session_supported: true,
      frontchannel_logout_session_supported: true,
    });
    const keys = await keysOf(base);
    expect(keys.map(({ alg }) => alg).toSorted()).toEqual(['ES256', 'EdDSA', 'RS256']);
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  it('publishes encryption keys too if the feature is on', async () => {
    const features = { ...TEAM.features, encryption: { enabled: true } };
    const { options } = await createOptions({ configuration: { ...TEAM, features } });
    const store = openStore({
      connection: { url: options.databaseUrl },
      keyEncryptionKeys: parseKeyEncryptionKeys(options.encryptionKeys),
      clock: systemClock,
      random: secureRandom,
      encryptionAlgorithms: ['RSA-OAEP-256'],
      onProblem: () => undefined,
    });
    onTestFinished(() => store.close());
    await store.opened;
    const joined = await joinProvider(options);
    onTestFinished(joined.close);
    const keys = await keysOf(await serve(joined));
    expect(keys.map(({ alg }) => alg).toSorted()).toEqual(['RS256', 'RSA-OAEP-256']);
  });

  it('does not know a client any longer as soon as an operator has blocked it, before it is deleted', async () => {
    const { joined, pool } = await join();
    await storeClient(pool, 'shop', {
      redirect_uris: ['https://shop.example/cb'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'RS256',
      software_id: 'bad',
    });
    expect(await joined.provider.Client.find('shop')).toMatchObject({ clientId: 'shop' });
    await pool.query(
      `INSERT INTO client_block (kind, value, blocked_at) VALUES ('software_id', 'bad', now())`,
    );
    expect(await joined.provider.Client.find('shop')).toBeUndefined();
  });

  it('records each client that is used, so that unused clients can be told from it', async () => {
    const { options } = await createOptions();
    const joined = await joinProvider(options);
    const pool = openPool(options.databaseUrl);
    onTestFinished(() => pool.end());
    for (const id of ['used', 'unused']) await storeClient(pool, id, {});
    const context = { oidc: { client: { clientId: 'used' as ClientId } } };
    (joined.provider as unknown as NodeJS.EventEmitter).emit('authorization.success', context);
    await joined.close();
    const { rows } = await pool.query('SELECT id FROM client WHERE last_used_at IS NOT NULL');
    expect(rows).toEqual([{ id: 'used' }]);
  });

  it.each([
    ['/id/clients', 'registration'],
    ['/id/clients/shop?x=1', 'registration'],
    ['/id/token/introspect', 'introspection'],
    ['/id/logout', 'logout'],
  ])('refuses %s, and says that the gateway must send it to the %s service', async (path, service) => {
    const { joined, problems } = await join();
    const base = await serve(joined);
    for (let time = 0; time < 2; time++) {
      const response = await fetch(base + path, { method: 'POST' });
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({
          error_description: expect.stringMatching(
            new RegExp(`reached the authorization server: .* to the ${service} service$`),
          ),
        }),
      ]);
    }
    expect(problems.filter((problem) => problem.includes('gateway'))).toHaveLength(1);
  });

  it('recognizes such a request below a router too, and serves every other one', async () => {
    const { joined } = await join();
    const base = await serve(joined, '/id');
    expect(await (await fetch(`${base}/clients`)).text()).toContain('gateway');
    expect((await fetch(`${base}/jwks`)).status).toBe(200);
    for (const path of ['/clientside', '/logout/deliveries', '/token/introspect/x'])
      expect(await (await fetch(base + path)).text()).not.toContain('gateway');
  });

  it('reports which settings of the services do not fit', async () => {
    const { options, problems } = await createOptions();
    const store = openStore({
      connection: { url: options.databaseUrl },
      keyEncryptionKeys: parseKeyEncryptionKeys(options.encryptionKeys),
      clock: systemClock,
      random: secureRandom,
      onProblem: () => undefined,
    });
    onTestFinished(() => store.close());
    await store.opened;
    const sessionCookie = { name: 'vestibule_session', path: '/', sameSite: 'lax' } as const;
    const logout = { sessionCookie, logoutPath: '/logout' };
    const settings = { issuer: 'https://other.example', logout };
    const now = Math.floor(store.clock.nowMs() / 1000) as never;
    await store.database.runningProcesses.announce({ id: '1', program: 'logout', settings }, now);
    const joined = await joinProvider(options);
    onTestFinished(joined.close);
    await vi.waitFor(() => expect(problems).toHaveLength(2), 60_000);
    expect(problems[0]).toMatch(/BASE_URL=https:\/\/other\.example.*set BASE_URL=https:\/\/as\.example\/id/);
    expect(problems[1]).toMatch(/set SESSION_COOKIE_NAME=_session for logout/);
  });
});

describe('a provider cannot join', () => {
  it('with a configuration that keeps its own data, and learns every reason at once', async () => {
    const { options } = await createOptions({
      configuration: {
        adapter: () => undefined,
        jwks: { keys: [{ kty: 'oct', d: 'private-member' }] },
        clients: [{ client_id: 'shop', client_secret: 'client-secret' }],
        features: { rpInitiatedLogout: { enabled: true } },
      },
      encryptionKeys: 'not-a-key',
      issuer: 'as.example',
      databaseUrl: 'mysql://user:database-password@host/db',
    });
    const error = await refusal(options);
    expect(error.message.split('\n').map((line) => /^- [\w.]+/.exec(line)?.[0])).toEqual([
      undefined,
      '- issuer',
      '- databaseUrl',
      '- encryptionKeys',
      '- adapter',
      '- jwks',
      '- clients',
      '- features.rpInitiatedLogout',
    ]);
    for (const secret of ['private-member', 'client-secret', 'not-a-key', 'database-password'])
      expect(inspect(error)).not.toContain(secret);
  });

  it('without encryption keys', async () => {
    const { options } = await createOptions({ encryptionKeys: undefined as never });
    expect((await refusal(options)).message).toMatch(
      /encryptionKeys: .* Set it to ENCRYPTION_KEYS of the services\./,
    );
  });

  it('with the encryption keys of another installation', async () => {
    const { options } = await createOptions();
    await (await joinProvider(options)).close();
    const error = await refusal({ ...options, encryptionKeys: randomBytes(32).toString('base64url') });
    expect(error.message).toBe(
      'The provider cannot join. encryptionKeys: do not decrypt the data keys of this database. Set it to ENCRYPTION_KEYS of the services.',
    );
  });

  it('with a database of an older version', async () => {
    const { options } = await createOptions({ openTimeoutMs: 3_000 });
    const pool = openPool(options.databaseUrl);
    const newest = 'SELECT max(migration_name) FROM _prisma_migrations';
    const { rows } = await pool.query(`UPDATE _prisma_migrations SET finished_at = NULL
      WHERE migration_name = (${newest}) RETURNING migration_name`);
    try {
      expect((await refusal(options)).message).toMatch(
        /databaseUrl: the database has the schema of an older version \(\w+ is missing\)\. Run `vestibule db migrate`/,
      );
    } finally {
      await pool.query('UPDATE _prisma_migrations SET finished_at = now() WHERE migration_name = $1', [
        rows[0].migration_name,
      ]);
      await pool.end();
    }
  });

  it.each([
    ['an address where no database listens', { port: '1' }, 'the database cannot be reached'],
    [
      'a password that is not valid',
      { username: 'unknown', password: 'wrong-password' },
      'refuses the login',
    ],
  ])('with %s', async (_case, change, problem) => {
    const { options } = await createOptions({ openTimeoutMs: 3_000 });
    const url = Object.assign(new URL(options.databaseUrl), change);
    const error = await refusal({ ...options, databaseUrl: url.href });
    expect(error.message).toContain(`databaseUrl: `);
    expect(error.message).toContain(problem);
    expect(inspect(error)).not.toContain('wrong-password');
  });

  it('with another issuer than its own', async () => {
    const { options } = await createOptions({ issuer: 'https://other.example' });
    expect((await refusal(options)).message).toMatch(
      /issuer: is https:\/\/other\.example, but the provider has the issuer https:\/\/as\.example\/id/,
    );
  });

  it('with a slash at the end of its issuer, which the services do not have', async () => {
    const createProvider = (configuration: object) => new Provider(`${ISSUER}/`, configuration);
    const { options } = await createOptions({ issuer: `${ISSUER}/`, createProvider });
    expect((await refusal(options)).message).toContain('without a slash at the end');
  });

  it('if it does not use the configuration that it is given', async () => {
    const { options } = await createOptions({ createProvider: () => new Provider(ISSUER, TEAM) });
    expect((await refusal(options)).message).toMatch(
      /createProvider: must create the provider with the configuration/,
    );
  });

  it('if it is no provider of the same copy of the library', async () => {
    const { options } = await createOptions({ createProvider: () => ({ issuer: ISSUER }) as never });
    expect((await refusal(options)).message).toContain('npm ls oidc-provider');
  });

  it('with a configuration that the library refuses, and the error has no private key in its cause', async () => {
    const { options } = await createOptions({
      createProvider: (configuration) => {
        const { jwks } = configuration as { jwks: { keys: object[] } };
        return new Provider(ISSUER, {
          ...configuration,
          jwks: { keys: [...jwks.keys, { ...jwks.keys[0] }] },
        });
      },
    });
    const error: unknown = await joinProvider(options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('duplicate "kid"') });
    expect(inspect(error, { depth: 9 })).not.toMatch(/"?\b[dpq]"?:/);
  });
});
