import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { introspect, issue, registerResourceServer, send } from './support/api.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';

const PAGE = 'https://app.example';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stack: Standalone;

beforeAll(async () => {
  folder = await temporaryFolder();
  stack = await startStandalone(folder.path, { CORS_ALLOWED_ORIGINS: PAGE });
});

afterAll(async () => {
  await stack.stop();
  await folder.remove();
});

describe('the first exchange', () => {
  it('registers, issues, introspects and revokes a token that is inactive then, in both formats', async () => {
    const server = await registerResourceServer(stack);
    for (const format of ['identifier', 'jwt']) {
      const token = await issue(stack, {
        client_id: server.id,
        sub: 'alice',
        username: 'alice@example.com',
        scope: 'read write',
        aud: [server.id, 'https://other.example.com'],
        expires_in: 600,
        format,
        dat: { tenant: 'north' },
        claims: { email: 'alice@example.com' },
      });
      const response = await introspect(stack, server, { token });
      expect(response).toMatchObject({
        active: true,
        scope: 'read write',
        client_id: server.id,
        username: 'alice@example.com',
        token_type: 'Bearer',
        sub: 'alice',
        aud: [server.id],
        iss: stack.baseUrl,
        dat: { tenant: 'north' },
        email: 'alice@example.com',
      });
      expect(Number(response.exp) - Number(response.iat)).toBe(600);
      const revoked = await send(`${stack.baseUrl}/direct-authz/revoke`, 'POST', stack.masterToken, {
        token,
      });
      expect(revoked.status).toBe(204);
      expect(await introspect(stack, server, { token })).toEqual({ active: false });
    }
  });

  it('lets pages of an allowed origin call the registration endpoint only', async () => {
    const preflight = async (path: string, origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const response = await fetch(`${stack.baseUrl}${path}`, { method: 'OPTIONS', headers });
      return [response.status, response.headers.get('access-control-allow-origin')];
    };
    expect(await preflight('/clients', PAGE)).toEqual([204, PAGE]);
    expect(await preflight('/clients', 'https://other.example')).toEqual([405, null]);
    for (const path of ['/direct-authz', '/token/introspect', '/logout'])
      expect([path, ...(await preflight(path, PAGE))]).toEqual([path, 405, null]);
    const refused = await fetch(`${stack.baseUrl}/clients`, { method: 'POST', headers: { origin: PAGE } });
    expect(refused.headers.get('access-control-allow-origin')).toBe(PAGE);
  });

  it('reads, updates and deletes a registration, and deletion revokes the tokens of both formats', async () => {
    const caller = await registerResourceServer(stack);
    const client = await registerResourceServer(stack);
    const tokens = [
      await issue(stack, { client_id: client.id, sub: 'bob', scope: 'read' }),
      await issue(stack, { client_id: client.id, sub: 'bob', scope: 'read', format: 'jwt' }),
    ];
    const address = `${stack.baseUrl}/clients/${client.id}`;
    const read = JSON.parse((await send(address, 'GET', client.registrationToken)).text);
    expect(read).toMatchObject({ client_id: client.id, client_secret: client.secret });
    const updated = JSON.parse(
      (await send(address, 'PUT', client.registrationToken, { ...read, client_name: 'Renamed' })).text,
    );
    expect(updated).toMatchObject({ client_id: client.id, client_name: 'Renamed' });
    expect(updated.client_secret).not.toBe(client.secret);
    expect(updated.registration_access_token).not.toBe(client.registrationToken);
    for (const token of tokens)
      expect(await introspect(stack, caller, { token })).toMatchObject({ active: true });
    expect((await send(address, 'DELETE', updated.registration_access_token)).status).toBe(204);
    for (const token of tokens) expect(await introspect(stack, caller, { token })).toEqual({ active: false });
  });

  // The program is a bundle: a bundler must not remove a check as dead code.
  it('treats an identifier that cannot be decoded as an unknown client', async () => {
    const { registrationToken } = await registerResourceServer(stack);
    for (const id of ['unknown', '%zz', '%', '%ff', '%e0%a4%a', '%C0%AF']) {
      const request = (token: string) => send(`${stack.baseUrl}/clients/${id}`, 'GET', token);
      expect([id, (await request(registrationToken)).status]).toEqual([id, 401]);
      expect([id, (await request(stack.masterToken)).status]).toEqual([id, 404]);
    }
  });

  it('logs the ends of the chain of audit events', async () => {
    await registerResourceServer(stack);
    const isChained = () => /"auditPosition":"\d+","auditHash":"[\da-f]{64}"/.test(stack.output());
    await vi.waitUntil(isChained, { timeout: 30_000, interval: 100 });
  });
});
