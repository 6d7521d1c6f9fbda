import { expect, it } from 'vitest';
import { createDeliveryFixture } from '../support/delivery-fixture.js';
import { aReceiver, type Behaviour, drip, flood, hang, reset, status } from '../support/receiver.js';

/** For receivers that never respond. */
const SHORT = { LOGOUT_DELIVERY_TIMEOUT_MS: 300 };

/** One delivery to a receiver with this behaviour, after its first attempt. */
async function triedOnce(behave: Behaviour, settings: Partial<typeof SHORT> = {}) {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver(behave);
  await fixture.register('c', receiver.url);
  fixture.deliver([receiver], settings);
  await fixture.logout(await fixture.login(['c']));
  await expect
    .poll(async () => (await fixture.list())[0], { timeout: 60_000 })
    .toSatisfy((delivery) => delivery?.lastError !== undefined || delivery?.lastStatus !== undefined);
  const [delivery] = await fixture.list();
  return { fixture, receiver, delivery };
}

it.each([200, 204])('counts %i as delivered', async (code) => {
  const { delivery, receiver } = await triedOnce(status(code));
  expect(delivery).toMatchObject({ state: 'delivered', lastStatus: code, attempts: 1 });
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.contentType).toBe('application/x-www-form-urlencoded');
});

it.each([
  ['201', status(201), 'status'],
  ['302', status(302, { location: 'https://elsewhere.example/' }), 'redirect'],
  ['307', status(307, { location: '/again' }), 'redirect'],
  ['400', status(400), 'status'],
  ['401', status(401), 'status'],
  ['404', status(404), 'status'],
  ['410', status(410), 'status'],
] as const)('gives up at once on %s, and follows no redirect', async (code, behave, error) => {
  const { delivery, receiver } = await triedOnce(behave);
  expect(delivery).toMatchObject({ state: 'dead', lastStatus: Number(code), lastError: error, attempts: 1 });
  expect(receiver.received).toHaveLength(1);
});

it.each([
  ['500', status(500), 'status', {}],
  ['502', status(502), 'status', {}],
  ['503', status(503), 'status', {}],
  ['429', status(429), 'status', {}],
  ['a reset', reset, 'protocol', {}],
  ['silence', hang, 'timeout', SHORT],
  ['an endless header', drip, 'timeout', SHORT],
] as const)('tries again after %s', async (_name, behave, error, settings) => {
  const { fixture } = await triedOnce(behave, settings);
  // A busy machine may not even have prepared the first attempt within a short time.
  await expect
    .poll(async () => (await fixture.list())[0])
    .toMatchObject({ state: 'pending', lastError: error });
});

it('evaluates by the status alone, and reads no more of the response', async () => {
  const { delivery } = await triedOnce(flood);
  expect(delivery).toMatchObject({ state: 'delivered', lastStatus: 200 });
});

it('retries on untrusted TLS, and sends nothing there', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver();
  await fixture.register('c', receiver.url.replace('http:', 'https:'));
  fixture.deliver([receiver]);
  await fixture.logout(await fixture.login(['c']));
  await expect
    .poll(async () => (await fixture.list())[0], { timeout: 60_000 })
    .toMatchObject({ state: 'pending', lastError: 'tls' });
  expect(receiver.received).toEqual([]);
});

it('respects Retry-After, up to an hour', async () => {
  for (const [seconds, least, most] of [
    [600, 590, 605],
    [86_400, 3_590, 3_605],
  ] as const) {
    const { delivery } = await triedOnce(status(429, { 'retry-after': String(seconds) }));
    const waitSeconds = (delivery?.nextAttemptAt ?? 0) - Date.now() / 1000;
    expect(waitSeconds).toBeGreaterThan(least);
    expect(waitSeconds).toBeLessThan(most);
  }
});

it('gives up if the next attempt would be too late', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver(status(503));
  await fixture.register('c', receiver.url);
  fixture.deliver([receiver], { LOGOUT_DELIVERY_MAX_AGE_SECONDS: 1 });
  await fixture.logout(await fixture.login(['c']));
  await fixture.until('dead', 1);
  expect(await fixture.list()).toMatchObject([{ lastStatus: 503, lastError: 'status' }]);
});

it('retries on unresolvable names and closed ports, and never on forbidden addresses', async () => {
  const fixture = await createDeliveryFixture();
  await fixture.register('nowhere', 'http://no-such-host.example/');
  await fixture.register('closed', 'http://127.0.0.1:1/');
  await fixture.register('private', 'https://10.0.0.1/');
  await fixture.register('metadata', 'http://169.254.169.254/');
  fixture.deliver([{ place: 'no-such-host.example' }, { place: '127.0.0.1:1' }]);
  await fixture.logout(await fixture.login(['nowhere', 'closed', 'private', 'metadata']));
  await fixture.until('dead', 2);
  expect(await fixture.list({ state: 'dead' })).toMatchObject([
    { lastError: 'blocked' },
    { lastError: 'blocked' },
  ]);
  await expect
    .poll(
      async () => (await fixture.list({ state: 'pending' })).map(({ lastError }) => lastError).toSorted(),
      {
        timeout: 60_000,
      },
    )
    .toEqual(['refused', 'unresolvable']);
});

it('delivers to clients that recover, with a new token for each attempt', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver((request, response, number) =>
    status(number < 3 ? 503 : 200)(request, response, number),
  );
  await fixture.register('c', receiver.url);
  fixture.deliver([receiver]);
  await fixture.logout(await fixture.login(['c']));
  await fixture.until('delivered', 1);
  expect(await fixture.list()).toMatchObject([{ attempts: 3, lastStatus: 200 }]);
  expect(new Set(receiver.received.map(({ token }) => token)).size).toBe(3);
});
