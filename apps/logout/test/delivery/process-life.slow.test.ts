import { decodeUnverifiedJwt } from '@vestibule/crypto';
import { expect, it } from 'vitest';
import { aDeliveryWorld } from '../support/delivery-world.js';
import { aReceiver, hang, status } from '../support/receiver.js';

it('finishes the deliveries under way at shutdown, and claims nothing more', async () => {
  const world = await aDeliveryWorld();
  let isReached = false;
  const receiver = await aReceiver((request, response, number) => {
    isReached = true;
    setTimeout(() => status(200)(request, response, number), 300);
  });
  await world.register('c', receiver.url);
  const { close } = world.deliver([receiver]);
  await world.logout(await world.login(['c']));
  await expect.poll(() => isReached, { interval: 5 }).toBe(true);
  await close();
  expect(await world.list()).toMatchObject([{ state: 'delivered' }]);
  await world.logout(await world.login(['c']));
  expect(await world.list({ state: 'pending' })).toMatchObject([{ attempts: 0 }]);
});

it('releases deliveries that do not finish at shutdown, so that another process gets them at once', async () => {
  const world = await aDeliveryWorld();
  const receiver = await aReceiver((request, response, number) =>
    (number === 1 ? hang : status(200))(request, response, number),
  );
  await world.register('c', receiver.url);
  const { close } = world.deliver([receiver], { LOGOUT_DELIVERY_TIMEOUT_MS: 5_000 });
  await world.logout(await world.login(['c']));
  await expect.poll(() => receiver.received.length).toBe(1);
  await close();
  expect(await world.list()).toMatchObject([{ state: 'pending', lastError: 'aborted' }]);
  world.deliver([receiver], {}, await world.another());
  await world.until('delivered', 1);
  expect(receiver.received).toHaveLength(2);
});

it('ends expired sessions and notifies their clients once, with two processes at work', async () => {
  const world = await aDeliveryWorld();
  const receiver = await aReceiver();
  await world.register('notified', receiver.url, { metadata: { backchannel_logout_session_required: true } });
  const sessions = await Promise.all(Array.from({ length: 150 }, () => world.login(['notified'], 0)));
  const lasting = await world.login(['notified'], 600);
  const often = { LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS: 0.05 };
  world.deliver([receiver], often);
  world.deliver([receiver], often, await world.another());
  await world.until('delivered', 150);
  const sids = receiver.received.map(({ token }) => decodeUnverifiedJwt(token, 8192).claims['sid']);
  expect(sids.toSorted()).toEqual(sessions.map((id) => `${id} at notified`).toSorted());
  expect(await world.sql('SELECT id FROM session')).toEqual([{ id: lasting }]);
});

it('deletes finished deliveries after their retention', async () => {
  const world = await aDeliveryWorld();
  const receiver = await aReceiver();
  await world.register('c', receiver.url);
  world.deliver([receiver], {
    LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS: 0.05,
    LOGOUT_DELIVERY_RETENTION_SECONDS: 0,
  });
  await world.logout(await world.login(['c']));
  await expect.poll(() => receiver.received.length).toBe(1);
  await expect.poll(() => world.list(), { timeout: 5_000 }).toEqual([]);
});

it('counts attempts, failures and waiting deliveries, with a fixed set of labels', async () => {
  const world = await aDeliveryWorld();
  const [good, bad, absent] = [await aReceiver(), await aReceiver(status(410)), await aReceiver(status(503))];
  await world.register('good', good.url);
  await world.register('bad', bad.url);
  await world.register('absent', absent.url);
  const { registry } = world.deliver([good, bad, absent]);
  await world.logout(await world.login(['good', 'bad', 'absent']));
  await world.until('dead', 1);
  await world.until('delivered', 1);
  await expect.poll(() => absent.received.length).toBeGreaterThan(0);
  await expect
    .poll(() => registry.metrics())
    .toSatisfy((text: string) =>
      ['delivered', 'given_up', 'retry'].every((outcome) => text.includes(`outcome="${outcome}"`)),
    );
  const text = await registry.metrics();
  expect(text).toMatch(/logout_deliveries_waiting 1/);
  expect(text).toMatch(/logout_deliveries_dead 1/);
  expect(text).toMatch(/logout_delivery_failures_total\{reason="status"\} [2-9]/);
  expect(text).toMatch(/logout_delivery_oldest_seconds \d/);
  expect(text).not.toMatch(/127\.0\.0\.1|good|absent/);
});

it('attempts nothing before the keys are available, and shuts down at once if they never are', async () => {
  const world = await aDeliveryWorld();
  const receiver = await aReceiver();
  await world.register('c', receiver.url);
  await world.logout(await world.login(['c']));
  const never = { ...world.store, opened: new Promise<void>(() => undefined) };
  await world.deliver([receiver], {}, never).close();
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  world.deliver([receiver], {}, { ...world.store, opened });
  expect(await world.list()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  open();
  await world.until('delivered', 1);
  expect(await world.list()).toMatchObject([{ attempts: 1 }]);
});
