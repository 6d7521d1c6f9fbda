import type { AddressInfo } from 'node:net';
import type { Server } from '@vestibule/http';
import { revokeToken } from '@vestibule/tokens/revocation';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { chaosProxy } from '../support/chaos-proxy.js';
import { SECRET } from '../support/test-service.js';

const EXAMPLE = new URL('../../../../packages/guides/examples/stream-client.mjs', import.meta.url);

/** What the example exports. */
interface TokenChecker {
  check(token: string): Promise<{ readonly active: boolean }>;
  close(): Promise<void>;
}

async function aChecker(issuer: string): Promise<TokenChecker> {
  const { createTokenChecker } = await import(EXAMPLE.href);
  const checker: TokenChecker = createTokenChecker({ issuer, clientId: 'rs1', clientSecret: SECRET });
  onTestFinished(() => checker.close());
  return checker;
}

/** Serves an instance, and counts its introspection requests. */
async function served(app: Server, port = 0) {
  await app.listen({ host: '127.0.0.1', port });
  let requests = 0;
  app.server.on('request', ({ method }) => {
    if (method === 'POST') requests += 1;
  });
  return { port: (app.server.address() as AddressInfo).port, requests: () => requests };
}

/** An instance, and the example, which reaches it through a proxy. */
async function aFollowedInstance() {
  const service = await aTimedService();
  const { app } = await aCachedInstance(service);
  const { port, requests } = await served(app);
  const proxy = await chaosProxy(`http://127.0.0.1:${port}`);
  const checker = await aChecker(new URL(proxy.url).origin);
  /** Checks a token, and tells whether that took a request. */
  const check = async (token: string) => {
    const before = requests();
    const { active } = await checker.check(token);
    return { active, asked: requests() > before };
  };
  const untilKept = (token: string) =>
    vi.waitUntil(async () => !(await check(token)).asked, { timeout: 60_000, interval: 20 });
  const revoke = (token: string) => revokeToken(service.revocationDeps, token);
  return { service, app, port, proxy, checker, check, untilKept, revoke };
}

describe('the client that the guide on the stream of changes shows', () => {
  it('refuses a token after its revocation without a request, and asks about no other', async () => {
    const { service, check, untilKept, revoke } = await aFollowedInstance();
    const [revoked, live] = [await service.identifier(), await service.jwt()];
    await untilKept(revoked);
    await untilKept(live);
    await revoke(revoked);
    await vi.waitUntil(async () => !(await check(revoked)).active, { timeout: 60_000, interval: 10 });
    expect(await check(live)).toEqual({ active: true, asked: false });
  });

  it('learns of what it missed while it was not connected, and uses again what it keeps', async () => {
    const { service, proxy, check, untilKept, revoke } = await aFollowedInstance();
    const [revoked, live] = [await service.identifier(), await service.jwt()];
    await untilKept(revoked);
    await untilKept(live);
    proxy.refuse();
    await revoke(revoked);
    const start = performance.now();
    await vi.waitUntil(() => performance.now() - start > 1_500, { timeout: 60_000 });
    proxy.pass();
    expect(await check(revoked)).toEqual({ active: false, asked: true });
    await untilKept(live);
    expect(await check(revoked)).toEqual({ active: false, asked: true });
  });

  it.each(['refuse', 'freeze'] as const)('uses what it keeps for 5 seconds at most: %s', async (fault) => {
    const { service, proxy, checker, untilKept } = await aFollowedInstance();
    const token = await service.identifier();
    await untilKept(token);
    const start = performance.now();
    proxy[fault]();
    let lastUse = start;
    const isUsed = async () => {
      const { active } = await checker.check(token).catch(() => ({ active: undefined }));
      if (active === true) lastUse = performance.now();
      return active;
    };
    await vi.waitUntil(async () => (await isUsed()) === undefined, { timeout: 60_000, interval: 20 });
    expect(lastUse - start).toBeGreaterThan(1_500);
    expect(lastUse - start).toBeLessThan(5_500);
    proxy.pass();
    await vi.waitUntil(isUsed, { timeout: 60_000 });
  });

  it('continues with another instance that takes the place of a stopped one', async () => {
    const { service, app, port, checker, untilKept } = await aFollowedInstance();
    const token = await service.identifier();
    await untilKept(token);
    const next = await aCachedInstance(service);
    await app.close();
    const { requests } = await served(next.app, port);
    // Longer than it uses responses without a stream.
    const needsNoRequests = async () => {
      const [before, start] = [requests(), performance.now()];
      const checks = async () => (await checker.check(token)) && performance.now() - start > 1_500;
      await vi.waitUntil(checks, { timeout: 60_000, interval: 50 });
      return requests() === before;
    };
    await vi.waitUntil(needsNoRequests, { timeout: 60_000 });
  });
});
