import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createTestDatabase } from '@vestibule/testkit';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { expect, it, onTestFinished, vi } from 'vitest';
import { send } from './support/api.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';

/** Timeout for expected events, in milliseconds: a lease of 15 seconds, and time for a busy machine. */
const EVENTUALLY = { timeout: 120_000, interval: 20 };

const ISSUER = 'http://localhost:8080';

/** A server of a team, which accepts everything and keeps it. Its responses wait while they are held. */
async function aReceiver() {
  const received: string[] = [];
  const held: ServerResponse[] = [];
  const receiver = { received, held, isHolding: false, url: '' };
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    if (receiver.isHolding) held.push(response);
    else response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/changes`;
  return receiver;
}

it('continues in another process with the same event when the one that waits for the response is killed', async () => {
  const folder = await temporaryFolder();
  const database = await createTestDatabase();
  const receiver = await aReceiver();
  const running: Standalone[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map((process) => process.stop()));
    await database.drop();
    await folder.remove();
  });
  const start = async () => {
    const process = await startStandalone(folder.path, {
      DATABASE_URL: database.url,
      BASE_URL: ISSUER,
      CHANGES_WEBHOOK_URL: receiver.url,
    });
    running.push(process);
    return process;
  };
  const first = await start();
  const revoke = ({ baseUrl, masterToken }: Standalone, sub: string) =>
    send(`${baseUrl}/direct-authz/revoke`, 'POST', masterToken, { sub });
  const subs = () =>
    receiver.received.map((token) => {
      const [event] = Object.values(
        decodeJwt<{ events: Readonly<Record<string, { sub?: string }>> }>(token).events,
      );
      return event?.sub;
    });

  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), EVENTUALLY);
  await revoke(first, 'a');
  await vi.waitFor(() => expect(subs()).toEqual([undefined, 'a']), EVENTUALLY);
  const second = await start();
  receiver.isHolding = true;
  await revoke(second, 'b');
  await revoke(second, 'c');
  await vi.waitFor(() => expect(receiver.held).toHaveLength(1), EVENTUALLY);
  first.child.kill('SIGKILL');
  await first.ended;
  receiver.isHolding = false;
  await vi.waitFor(() => expect(subs()).toEqual([undefined, 'a', 'b', 'b', 'c']), EVENTUALLY);
  const keys = createRemoteJWKSet(new URL(`${second.baseUrl}/jwks.json`));
  const expected = { issuer: ISSUER, audience: receiver.url, typ: 'secevent+jwt' };
  const verified = await Promise.all(receiver.received.map((token) => jwtVerify(token, keys, expected)));
  const [, , before, after] = verified.map(({ payload }) => payload.jti);
  expect(before).toEqual(expect.any(String));
  expect(after).toBe(before);
  for (const process of running) expect(process.output()).not.toContain(first.masterToken);
});
