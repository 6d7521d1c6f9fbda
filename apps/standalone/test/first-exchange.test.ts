import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, issue, registerResourceServer, send } from './support/api.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stack: Standalone;

beforeAll(async () => {
  folder = await temporaryFolder();
  stack = await startStandalone(folder.path);
});

afterAll(async () => {
  await stack.stop();
  await folder.remove();
});

describe('the first exchange', () => {
  it('registers, issues, introspects, revokes and sees the token dead, in both formats', async () => {
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
      const answer = await introspect(stack, server, { token });
      expect(answer).toMatchObject({
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
      expect(Number(answer.exp) - Number(answer.iat)).toBe(600);
      const revoked = await send(`${stack.baseUrl}/direct-authz/revoke`, 'POST', stack.masterToken, {
        token,
      });
      expect(revoked.status).toBe(204);
      expect(await introspect(stack, server, { token })).toEqual({ active: false });
    }
  });

  it('reads, updates and deletes a registration, and deletion kills the tokens of both formats', async () => {
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
});
