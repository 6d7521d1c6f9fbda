import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Fault,
  GATEWAY_PATHS,
  OTHER_KEYS,
  REFUSED_AT_START,
  SETTING_FAULTS,
  TEAM_KEY,
  WARNED_AT_START,
} from './join-faults.js';
import { START_SERVICES, VESTIBULE } from './walk/built-programs.js';
import { type BrowserPage, openCookieBrowser } from './walk/cookie-browser.js';
import { openPageFixture, type PageFixture } from './walk/page-fixture.js';
import { ambiguousPaths, requestPath } from './walk/raw-request.js';
import type { PageWalk, RunCommand } from './walk/walk-page.js';

/** The ports of the page: gateway, your server, services, applications. */
const PORTS = ['3000', '3001', '8080', '4001', '4002', '4003'];
const WAIT_MS = 60_000;

describe('the page on joining a node-oidc-provider application', () => {
  let page: PageFixture;
  let walk: PageWalk;
  let rotation: Promise<void>;
  const browser = openCookieBrowser();
  const application = (port: string) => page.address(port);
  const issuer = () => page.address('3000');
  const shown = async (port: string): Promise<{ user: string | null; access_token?: string }> =>
    JSON.parse((await browser.open(application(port))).text);
  const signIn = (login: BrowserPage) => browser.submit(login, { name: 'ada', password: 'lovelace' });

  const SERVER_ENVIRONMENT =
    'export DATABASE_URL=$(cat "$DATA_DIR/database-url") ENCRYPTION_KEYS=$(cat "$DATA_DIR/encryption-keys")';
  const same = (text: string) => text;
  let joined: string;
  let settings: string;

  /** Starts the server of the page with a change. */
  const started = ({ server = same, environment: change = '' }: Partial<Fault> = {}): RunCommand => {
    const changed = server(joined);
    expect(changed === joined, 'the change applies').toBe(server === same);
    walk.write('server.js', changed);
    return walk.start(`${SERVER_ENVIRONMENT}; ${change}\nnode server.js`);
  };
  const startServices = (changed: string, environmentChange = '') => {
    walk.write('services.env', changed);
    return walk.start(`set -a; . ./services.env; set +a; ${environmentChange}\n${START_SERVICES}`);
  };

  beforeAll(async () => {
    page = await openPageFixture('join-node-oidc-provider.md', PORTS, '8080');
    walk = page.walk;
  });

  afterAll(() => page.close());

  it('starts with an application that runs by itself', async () => {
    await walk.section('Before');
    const before = walk.start('node server.js');
    const discovery = async () => (await fetch(`${issuer()}/.well-known/openid-configuration`)).json();
    await expect
      .poll(() => discovery().catch(() => undefined), { timeout: WAIT_MS })
      .toMatchObject({
        issuer: issuer(),
        end_session_endpoint: `${issuer()}/session/end`,
      });
    walk.write('former-keys.json', await (await fetch(`${issuer()}/jwks`)).text());
    await before.stop();
  });

  it.each([
    '1. Start the services',
    '2. Import the clients',
    '3. Join your server',
    '4. Put the gateway in front',
    '5. Log in',
  ])('works as written: %s', async (heading) => {
    await walk.section(heading);
    if (heading.startsWith('4.'))
      expect(walk.background('3. Join your server').output()).not.toContain('vestibule:');
  });

  it('reaches no operation that the gateway does not name, however its path is written', async () => {
    const paths = [
      ...ambiguousPaths(),
      '/direct-authz/revoke',
      '//direct-authz/revoke',
      '/%64irect-authz/revoke',
      '/direct-authz/revoke;/clients/x',
      '/clients/..;/direct-authz/revoke',
      '//clients/x',
      '/token/changes',
      '/logout/deliveries',
    ];
    for (const method of ['GET', 'POST', 'DELETE'])
      for (const path of paths) {
        const status = await requestPath(issuer(), path, method);
        // 401 and 403 would come from an operation, for want of a token.
        expect([method, path, status]).toEqual([method, path, status === 400 ? 400 : 404]);
      }
  });

  it('signs a user in at two applications with one login', async () => {
    const login = await browser.open(`${application('4001')}/login`);
    expect(login.url.href).toContain(`${issuer()}/interaction/`);
    expect((await signIn(login)).url.href).toBe(`${application('4001')}/`);
    expect((await browser.open(`${application('4002')}/login`)).url.href).toBe(`${application('4002')}/`);
    expect([(await shown('4001')).user, (await shown('4002')).user]).toEqual(['ada', 'ada']);
  });

  it('introspects a token of the team’s server', async () => {
    await walk.section('6. Introspect a token');
  });

  it('logs the user out at both applications when one logs out, by back channel', async () => {
    const confirmation = await browser.open(`${application('4001')}/logout`);
    expect(confirmation.url.pathname).toBe('/logout');
    const landed = await browser.submit(confirmation, { decision: 'accept' });
    expect(landed.url.href).toBe(`${application('4001')}/`);
    for (const port of ['4001', '4002'])
      await expect.poll(async () => (await shown(port)).user, { timeout: WAIT_MS }).toBeNull();
    expect(browser.cookies()).not.toContain('_session');
    await walk.section('7. Log out everywhere');
  });

  it('signs the user in at a client that registered at /clients', async () => {
    await walk.section('8. Register a client');
    await signIn(await browser.open(`${application('4003')}/login`));
    expect((await shown('4003')).user).toBe('ada');
  });

  // The rotation takes more than a minute, in which these servers end without listening.
  describe('when a step was done wrong', () => {
    beforeAll(async () => {
      joined = walk.file('server.js');
      settings = walk.file('services.env');
      await browser.open(`${application('4001')}/login`);
      rotation = walk.section('9. Rotate the keys');
      // The test of the rotation reports a failure.
      rotation.catch(() => undefined);
    });

    it.each(REFUSED_AT_START)(
      '$wrong: the server of the team does not start, and says what to do',
      async (fault) => {
        if (fault.wrong.startsWith('the database')) await page.query('CREATE DATABASE not_migrated');
        const server = started(fault);
        expect([await server.ended, server.output()]).toEqual([1, expect.stringMatching(fault.says)]);
        expect(server.output()).not.toContain('joined\n');
      },
    );
  });

  it('follows a rotation of keys without a restart: old ID tokens stay valid hints, and new ones verify', async () => {
    await rotation;
    const [active] = await page.query(
      `SELECT kid FROM signing_key WHERE state = 'active' AND algorithm = 'RS256' AND key_set = 'provider'`,
    );
    const hintOf = async (port: string) => {
      const confirmation = await browser.open(`${application(port)}/logout`);
      const [header = '', claims = ''] = confirmation.url.searchParams.get('id_token_hint')?.split('.') ?? [];
      const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
      return { confirmation, kid: decoded(header).kid, claims: decoded(claims) };
    };
    // openid-client verifies each new ID token with the published keys.
    const signedAnew = async () => {
      await browser.open(`${application('4002')}/login`);
      return (await hintOf('4002')).kid;
    };
    await expect.poll(signedAnew, { timeout: WAIT_MS, interval: 1_000 }).toBe(active?.['kid']);
    const { confirmation, kid, claims } = await hintOf('4001');
    expect([kid === active?.['kid'], claims]).toEqual([
      false,
      expect.objectContaining({ aud: 'shop', sid: expect.any(String) }),
    ]);
    expect((await browser.submit(confirmation, { decision: 'accept' })).url.href).toBe(
      `${application('4001')}/`,
    );
    for (const port of ['4001', '4002'])
      await expect.poll(async () => (await shown(port)).user, { timeout: WAIT_MS }).toBeNull();
  });

  it('keeps clients that are used at the team’s server when unused ones are pruned', async () => {
    const register = `curl -sS ${issuer()}/clients -H "Authorization: Bearer $(cat "$DATA_DIR/master-token")" -H 'Content-Type: application/json' -d '{"client_id":"never-used","redirect_uris":["https://unused.example/cb"]}'`;
    const registered = walk.start(register);
    expect(await registered.ended).toBe(0);
    const unusedId = JSON.parse(registered.output()).client_id;
    // Only recorded uses protect the others: what was issued to them is gone.
    for (const table of ['"authorization"', 'access_token', 'refresh_token'])
      await page.query(`DELETE FROM ${table}`);
    await page.query(`UPDATE client SET issued_at = issued_at - interval '90 days'`);
    const prune = walk.start(
      `${VESTIBULE} clients prune --unused-days 30 --origin registration import --yes`,
    );
    expect([await prune.ended, prune.output()]).toEqual([0, expect.stringContaining(unusedId)]);
    const left = (await page.query('SELECT id FROM client')).map(({ id }) => id);
    const notes = JSON.parse(page.read('notes.json')).client_id;
    expect(left).toEqual(expect.arrayContaining(['shop', 'mail', notes]));
    expect(left).not.toContain(unusedId);
  });

  it('reports nothing when every step was done', () => {
    expect(walk.background('3. Join your server').output()).not.toContain('vestibule:');
  });

  describe('when a step was done wrong', () => {
    beforeAll(() => walk.background('3. Join your server').stop());

    it.each(WARNED_AT_START)('$wrong: the server of the team starts, and says what to do', async (fault) => {
      const server = started(fault);
      await expect.poll(server.output, { timeout: WAIT_MS }).toMatch(fault.says);
      await server.stop();
    });

    it('the database has a newer version: that is no fault', async () => {
      await page.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ('newer', '', '20990101000000_newer', now(), 1)`,
      );
      const server = started();
      await expect.poll(server.output, { timeout: WAIT_MS }).toContain('joined');
      expect(server.output()).not.toContain('vestibule:');
      await server.stop();
      await page.query(`DELETE FROM _prisma_migrations WHERE id = 'newer'`);
    });

    it('the gateway sends no path to the services: each response and the log name path and service', async () => {
      const server = started();
      await expect.poll(server.output, { timeout: WAIT_MS }).toContain('joined');
      const gateway = walk.background('4. Put the gateway in front');
      await gateway.stop();
      const complete = walk.file('nginx.conf');
      const toServices = new RegExp(
        `.*proxy_pass http://127.0.0.1:${new URL(page.address('8080')).port};.*\n`,
        'g',
      );
      walk.write('nginx.conf', complete.replace(toServices, ''));
      const incomplete = walk.start(`nginx -p "$PWD" -c nginx.conf -g 'daemon off;'`);
      for (const { path, service } of GATEWAY_PATHS) {
        const response = async () => (await fetch(issuer() + path)).text();
        const problem = `reached the authorization server: the gateway must send it to the ${service} service`;
        await expect.poll(() => response().catch(() => ''), { timeout: WAIT_MS }).toContain(problem);
        expect(server.output()).toContain(`${problem}.`);
      }
      await incomplete.stop();
      await server.stop();
      walk.write('nginx.conf', complete);
    });

    describe('at the services', () => {
      beforeAll(() => walk.background('1. Start the services').stop());

      it.each(SETTING_FAULTS)('$wrong: your server names the setting when it starts', async (fault) => {
        const services = startServices(settings.replace(fault.line, fault.replacement));
        await expect.poll(services.output, { timeout: WAIT_MS }).toContain('Vestibule is ready');
        const server = started();
        await expect.poll(server.output, { timeout: WAIT_MS }).toMatch(fault.says);
        expect(server.output()).toContain('joined');
        // The other side names it too, in its log.
        await expect.poll(services.output, { timeout: WAIT_MS }).toContain('"level":"warn"');
        await server.stop();
        await services.stop();
      });

      it('the published development keys are kept as former keys: the services refuse them', async () => {
        const services = startServices(
          `${settings}AUTHORIZATION_SERVER_JWKS=${join(page.folder, 'former-keys.json')}\n`,
        );
        expect(await services.ended).not.toBe(0);
        expect(services.output()).toMatch(
          /AUTHORIZATION_SERVER_JWKS.*a key is a development key of node-oidc-provider, whose private key is public/,
        );
      });

      it('their encryption keys are those of another installation: they name the setting', async () => {
        const services = startServices(settings, `export ENCRYPTION_KEYS=${OTHER_KEYS}`);
        await expect.poll(services.output, { timeout: WAIT_MS }).toMatch(/ENCRYPTION_KEYS/);
        await services.stop();
      });

      it('loses nothing: with every step done right again, a user logs in and out', async () => {
        const services = startServices(settings);
        await expect.poll(services.output, { timeout: WAIT_MS }).toContain('Vestibule is ready');
        const server = started();
        await expect.poll(server.output, { timeout: WAIT_MS }).toContain('joined');
        const gateway = walk.start(`nginx -p "$PWD" -c nginx.conf -g 'daemon off;'`);
        const discovery = () => fetch(`${issuer()}/.well-known/openid-configuration`);
        await expect
          .poll(() => discovery().catch(() => undefined), { timeout: WAIT_MS })
          .toMatchObject({ ok: true });
        await signIn(await browser.open(`${application('4001')}/login`));
        expect((await shown('4001')).user).toBe('ada');
        const confirmation = await browser.open(`${application('4001')}/logout`);
        expect((await browser.submit(confirmation, { decision: 'accept' })).url.href).toBe(
          `${application('4001')}/`,
        );
        expect(server.output()).not.toContain('vestibule:');
        for (const command of [gateway, server, services]) await command.stop();
      });
    });
  });

  it('prints no key, token, password or secret', () => {
    const { password } = new URL(page.dataFile('database-url'));
    const secrets = [page.dataFile('encryption-keys'), page.dataFile('master-token'), password, OTHER_KEYS];
    for (const secret of [...secrets, TEAM_KEY.d]) expect(walk.output()).not.toContain(secret);
  });
});
