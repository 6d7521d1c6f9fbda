import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../src/root.js';
import { START_SERVICES } from './walk/built-programs.js';
import { type BrowserPage, openCookieBrowser } from './walk/cookie-browser.js';
import { type PageWalk, walkPage } from './walk/walk-page.js';

const PAGE = readFileSync(join(ROOT, 'examples', 'mcp', 'README.md'), 'utf8');
const [SERVICES, MCP] = ['8080', '3400'] as const;

/** A call of a tool, as a message of MCP. */
const callOf = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: { note: 'Buy milk' } },
});

/** The address that an outcome page of a logout links to. */
const onward = ({ text, url }: BrowserPage) =>
  new URL(/<a class="way" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '', url);

describe('the example of an MCP server', () => {
  const ports = new Map<string, string>();
  let folder: string;
  let walk: PageWalk;

  beforeAll(async () => {
    for (const port of [SERVICES, MCP]) ports.set(port, String(await freePort()));
    folder = mkdtempSync(join(tmpdir(), 'vestibule-mcp-'));
    const environment = {
      // The test runner sets it to a path.
      BASE_URL: undefined,
      DATA_DIR: join(folder, '.vestibule'),
      PORT: ports.get(SERVICES),
      MANAGEMENT_PORT: '0',
    };
    walk = walkPage({ page: PAGE, folder, environment, replaced: ports });
  });

  afterAll(async () => {
    await walk.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(read('server.env'))?.[1] ?? '';
  /** The last match in what the client has printed, once it is there. */
  const printed = async (heading: string, pattern: RegExp, count = 1): Promise<string> => {
    const found = () => [...walk.background(heading).output().matchAll(pattern)].map(([, text = '']) => text);
    await expect.poll(found).toHaveLength(count);
    return found().at(-1) ?? '';
  };
  const issue = async (scope: string): Promise<string> => {
    const response = await fetch(`${setting('ISSUER')}/direct-authz`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${read('.vestibule/master-token')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        client_id: setting('CLIENT_ID'),
        sub: 'alice',
        scope,
        aud: [setting('MCP_URL')],
        expires_in: 600,
      }),
    });
    expect(response.status).toBe(200);
    const { access_token: token } = (await response.json()) as { readonly access_token: string };
    return token;
  };
  const post = async (message: unknown, token?: string) => {
    const response = await fetch(setting('MCP_URL'), {
      method: 'POST',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(message),
    });
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate') ?? '',
      text: await response.text(),
    };
  };

  it('starts from a copy of its folder with the commands of its page', async () => {
    await walk.section('Install');
    await walk.section('Start the authorization server');
    await walk.section('Start the MCP server');
    expect(statSync(join(folder, 'server.env')).mode & 0o777).toBe(0o600);
  });

  it('lets a client of the MCP SDK register, log in, call, refresh and log out, and then refuses it', async () => {
    const heading = 'Try it';
    await walk.section(heading);
    const browser = openCookieBrowser();
    const login = await browser.open(await printed(heading, /^Log in: (.*)$/gm));
    const consent = await browser.submit(login, { username: 'alice', password: 'alice', decision: 'login' });
    await browser.submit(consent, { decision: 'consent' });
    const logout = await browser.open(await printed(heading, /^Log out: (.*)$/gm));
    await browser.submit(logout, { decision: 'accept' });
    expect(await walk.background(heading).ended).toBe(0);
    const lines = walk.background(heading).output().trim().split('\n');
    const address = `http://localhost:${ports.get(SERVICES)}`;
    expect(lines).toEqual([
      expect.stringMatching(/^registered as \w{22}$/),
      expect.stringContaining(`Log in: ${address}/authorize?`),
      'add_note: added',
      'list_notes: Buy milk',
      'refreshed',
      'list_notes: Buy milk',
      `Log out: ${address}/logout`,
      expect.stringContaining(`Log in: ${address}/authorize?`),
      'logged out: the server refuses the token',
    ]);
    expect(new URL(lines[1]?.replace('Log in: ', '') ?? '').searchParams.get('scope')).toBe(
      'notes:read notes:write',
    );
  });

  it('refuses a request without a token, and names its metadata (RFC 9728 section 5.1)', async () => {
    const { status, challenge } = await post(callOf('list_notes'));
    expect(status).toBe(401);
    const [, metadata = ''] = /resource_metadata="([^"]*)"/.exec(challenge) ?? [];
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: setting('MCP_URL'),
      authorization_servers: [setting('ISSUER')],
      scopes_supported: ['notes:read', 'notes:write'],
    });
  });

  it('refuses a call of a tool whose scope the token lacks, alone or in a batch, and names that scope', async () => {
    const token = await issue('notes:read');
    expect(await post(callOf('list_notes'), token)).toMatchObject({
      status: 200,
      text: expect.stringContaining('Buy milk'),
    });
    for (const message of [callOf('add_note'), [callOf('list_notes'), callOf('add_note')]])
      expect(await post(message, token)).toMatchObject({
        status: 403,
        challenge: expect.stringContaining('error="insufficient_scope", scope="notes:read notes:write"'),
      });
    expect((await post(callOf('add_note'), await issue('notes:write'))).status).toBe(200);
  });

  it('lets users log in at another provider, and log out of both, with the commands of its page', async () => {
    const providerPort = String(await freePort());
    // Another host name, since browsers do not tell the ports of a host apart.
    const issuer = `http://127.0.0.1:${providerPort}`;
    const data = join(folder, 'provider');
    const provider = walk.start(START_SERVICES, {
      BASE_URL: issuer,
      DATA_DIR: data,
      PORT: providerPort,
    });
    await expect.poll(provider.output).toContain('Vestibule is ready');
    const response = await fetch(`${issuer}/clients`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${readFileSync(join(data, 'master-token'), 'utf8').trim()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        redirect_uris: [`${setting('ISSUER')}/upstream/callback`],
        post_logout_redirect_uris: [`${setting('ISSUER')}/upstream/logged-out`],
        scope: 'openid profile email',
      }),
    });
    const registered = (await response.json()) as Readonly<Record<string, string>>;
    const settings = {
      UPSTREAM_ISSUER: issuer,
      UPSTREAM_CLIENT_ID: registered['client_id'],
      UPSTREAM_CLIENT_SECRET: registered['client_secret'],
    };
    walk.write(
      'upstream.env',
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    await walk.background('Start the authorization server').stop();
    await walk.section('Behind your identity provider');
    const client = walk.start('node client.mjs');
    const line = async (start: string): Promise<string> => {
      await expect.poll(client.output).toContain(start);
      return client.output().split(start)[1]?.split('\n', 1)[0] ?? '';
    };
    const browser = openCookieBrowser();
    const login = await browser.open(await line('Log in: '));
    expect(login.url.origin).toBe(issuer);
    let page = await browser.submit(login, { username: 'alice', password: 'alice', decision: 'login' });
    while (page.text.includes('value="consent"')) page = await browser.submit(page, { decision: 'consent' });
    const outcome = await browser.submit(await browser.open(await line('Log out: ')), { decision: 'accept' });
    const there = outcome.url.origin === issuer ? outcome : await browser.open(onward(outcome));
    expect(there.url.href).toContain(`${issuer}/logout?`);
    const back = await browser.submit(there, { decision: 'accept' });
    expect(back.url.href).toBe(`${setting('ISSUER')}/logout`);
    expect(await client.ended).toBe(0);
    expect(client.output()).toContain('logged out: the server refuses the token');
  });
});
