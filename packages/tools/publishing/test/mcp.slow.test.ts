import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPageFixture, type PageFixture } from './walk/page-fixture.js';

/** The ports of the page: services, and MCP Inspector. */
const PORTS = ['8080', '6274'];

describe('the page on clients of MCP', () => {
  let page: PageFixture;

  beforeAll(async () => {
    // Vite sets this variable.
    const environment = { BASE_URL: undefined };
    page = await openPageFixture('mcp.md', PORTS, '8080', { environment });
  });

  afterAll(() => page.close());

  it.each(['Settings', 'Your MCP server', 'What clients find', 'The exchange', 'When a client is gone'])(
    'works as written: %s',
    (heading) => page.walk.section(heading),
  );

  it('lets a client in a browser register, and read tokens and errors', async () => {
    const origin = page.address('6274');
    const client = page.read('client-id.txt');
    const registered = await fetch(`${page.address('8080')}/clients`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify({
        redirect_uris: [`${origin}/oauth/callback`],
        token_endpoint_auth_method: 'none',
      }),
    });
    expect([registered.status, registered.headers.get('access-control-allow-origin')]).toEqual([201, '*']);
    const { refresh_token: token } = JSON.parse(page.read('tokens.json'));
    const refresh = (value: string) =>
      fetch(`${page.address('8080')}/token`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: value, client_id: client }),
      });
    for (const [value, status] of [
      [token, 200],
      ['unknown', 400],
    ]) {
      const response = await refresh(value);
      const { headers } = response;
      expect([response.status, headers.get('access-control-allow-origin')]).toEqual([status, origin]);
    }
  });
});
