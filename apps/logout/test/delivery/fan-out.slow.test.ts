import { decodeUnverifiedJwt } from '@vestibule/crypto/jwt';
import { expect, it } from 'vitest';
import { createDeliveryFixture } from '../support/delivery-fixture.js';
import { aReceiver, hang, type Receiver, status } from '../support/receiver.js';

const claimsOf = (token: string) => decodeUnverifiedJwt(token, 8192).claims;

/** Receivers, each at an address of its own. */
function receivers(count: number, network: number, behave = status(200)): Promise<Receiver[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      aReceiver(behave, `127.${network}.${Math.floor(index / 200)}.${(index % 200) + 1}`),
    ),
  );
}

it('delivers to 270 clients while 30 others hang', async () => {
  const fixture = await createDeliveryFixture();
  const healthy = await receivers(270, 1);
  const hanging = await receivers(30, 2, hang);
  const all = [...hanging, ...healthy];
  const ids = all.map((_, index) => `client-${index}`);
  await Promise.all(all.map(({ url }, index) => fixture.register(`client-${index}`, url)));
  fixture.deliver(all);
  const session = await fixture.login(ids);
  const startedMs = performance.now();
  await fixture.logout(session);
  await fixture.until('delivered', 270);
  const seconds = (performance.now() - startedMs) / 1000;
  // Printed, not asserted: it depends on the machine.
  process.stderr.write(`270 of 300 clients were notified after ${seconds.toFixed(2)} s\n`);
  expect(healthy.every(({ received }) => received.length === 1)).toBe(true);
  expect((await fixture.list({ state: 'pending' })).length).toBe(30);
});

it('sends at most four parallel deliveries to one host, and notifies every client there', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver((request, response, number) => {
    setTimeout(() => status(200)(request, response, number), 5);
  });
  const ids = Array.from({ length: 300 }, (_, index) => `client-${index}`);
  for (const id of ids) await fixture.register(id, receiver.url);
  fixture.deliver([receiver]);
  await fixture.logout(await fixture.login(ids));
  await fixture.until('delivered', 300);
  expect(receiver.received).toHaveLength(300);
  expect(receiver.mostAtOnce()).toBeLessThanOrEqual(4);
});

it('notifies other clients promptly despite slow hosts and a client with many notifications', async () => {
  const fixture = await createDeliveryFixture();
  const [busy, other] = [
    await aReceiver(status(200), '127.3.0.1'),
    await aReceiver(status(200), '127.3.0.2'),
  ];
  const slow = await receivers(100, 4, hang);
  const all = [busy, other, ...slow];
  await fixture.register('busy', busy.url);
  await fixture.register('beside', busy.url);
  await fixture.register('other', other.url);
  for (const [index, { url }] of slow.entries()) await fixture.register(`slow-${index}`, url);
  const slowIds = slow.map((_, index) => `slow-${index}`);
  const queue = (client: string, count: number) =>
    fixture.sql(
      `INSERT INTO logout_delivery (client_id, uri, sid, next_attempt_at, created_at)
       SELECT id, metadata->>'backchannel_logout_uri', n::text, now(), now()
       FROM client, generate_series(1, $2) n WHERE id = $1`,
      [client, count],
    );
  for (const id of slowIds) await queue(id, 20);
  await queue('busy', 2_000);
  fixture.deliver(all, { LOGOUT_DELIVERY_CONCURRENCY: 16, LOGOUT_DELIVERY_TIMEOUT_MS: 3_000 });
  await expect.poll(() => busy.received.length, { timeout: 60_000 }).toBeGreaterThan(20);
  await fixture.logout(await fixture.login(['beside', 'other']));
  const isNotified = (id: string) => fixture.list({ clientId: id as never, state: 'delivered' });
  await expect.poll(async () => (await isNotified('other')).length, { timeout: 60_000 }).toBe(1);
  await expect.poll(async () => (await isNotified('beside')).length, { timeout: 60_000 }).toBe(1);
  expect((await fixture.list({ clientId: 'busy' as never, state: 'pending' })).length).toBeGreaterThan(0);
});

it('sends 100 retries, each with a new jti, issued after the attempt before', async () => {
  const fixture = await createDeliveryFixture();
  const all = await receivers(50, 5, (request, response, number) =>
    status(number < 3 ? 503 : 200)(request, response, number),
  );
  for (const [index, { url }] of all.entries()) await fixture.register(`client-${index}`, url);
  fixture.deliver(all);
  await fixture.logout(await fixture.login(all.map((_, index) => `client-${index}`)));
  await fixture.until('delivered', 50);
  const tokens = all.flatMap(({ received }) => received);
  expect(tokens).toHaveLength(150);
  const claims = tokens.map(({ token }) => claimsOf(token));
  expect(new Set(claims.map(({ jti }) => jti)).size).toBe(150);
  // In whole seconds, of another clock; some of the retries come in another second than the attempt before.
  for (const { received } of all)
    for (const [index, { token }] of received.slice(1).entries())
      expect(Number(claimsOf(token)['iat'])).toBeGreaterThanOrEqual(
        Math.floor(((received[index]?.atMs ?? 0) - 100) / 1000),
      );
  expect(claims.every(({ iat, exp }) => Number(exp) - Number(iat) <= 120)).toBe(true);
});

it('delivers each notification once with two processes at work', async () => {
  const fixture = await createDeliveryFixture();
  const all = await receivers(40, 6);
  for (const [index, { url }] of all.entries()) await fixture.register(`client-${index}`, url);
  const ids = all.map((_, index) => `client-${index}`);
  fixture.deliver(all);
  fixture.deliver(all, {}, await fixture.another());
  const sessions = await Promise.all(Array.from({ length: 20 }, () => fixture.login(ids)));
  await Promise.all(sessions.map((session) => fixture.logout(session)));
  await fixture.until('delivered', 800);
  expect(all.map(({ received }) => received.length)).toEqual(all.map(() => 20));
  const names = all.flatMap(({ received }) => received.map(({ token }) => claimsOf(token)['sub']));
  expect(names).toHaveLength(800);
});
