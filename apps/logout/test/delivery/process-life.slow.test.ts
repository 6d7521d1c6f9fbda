import { decodeUnverifiedJwt } from '@vestibule/crypto/jwt';
import { expect, it } from 'vitest';
import { createDeliveryFixture } from '../support/delivery-fixture.js';
import { aReceiver, hang, status } from '../support/receiver.js';

it('finishes the deliveries under way at shutdown, and claims nothing more', async () => {
  const fixture = await createDeliveryFixture();
  let respond: (() => void) | undefined;
  const receiver = await aReceiver((...request) => {
    respond = () => status(200)(...request);
  });
  await fixture.register('c', receiver.url);
  const { close } = fixture.deliver([receiver]);
  await fixture.logout(await fixture.login(['c']));
  await expect.poll(() => respond, { interval: 5 }).toBeDefined();
  const closed = close();
  respond?.();
  await closed;
  expect(await fixture.list()).toMatchObject([{ state: 'delivered' }]);
  await fixture.logout(await fixture.login(['c']));
  expect(await fixture.list({ state: 'pending' })).toMatchObject([{ attempts: 0 }]);
});

it('releases deliveries that do not finish at shutdown, so that another process gets them at once', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver((request, response, number) =>
    (number === 1 ? hang : status(200))(request, response, number),
  );
  await fixture.register('c', receiver.url);
  const { close } = fixture.deliver([receiver]);
  await fixture.logout(await fixture.login(['c']));
  await expect.poll(() => receiver.received.length).toBe(1);
  await close();
  expect(await fixture.list()).toMatchObject([{ state: 'pending', lastError: 'aborted' }]);
  fixture.deliver([receiver], {}, await fixture.another());
  await fixture.until('delivered', 1);
  expect(receiver.received).toHaveLength(2);
});

it('ends expired sessions and notifies their clients once, with two processes at work', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver();
  await fixture.register('notified', receiver.url, {
    metadata: { backchannel_logout_session_required: true },
  });
  const sessions = await Promise.all(Array.from({ length: 150 }, () => fixture.login(['notified'], 0)));
  const lasting = await fixture.login(['notified'], 600);
  const often = { LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS: 0.05 };
  fixture.deliver([receiver], often);
  fixture.deliver([receiver], often, await fixture.another());
  await fixture.until('delivered', 150);
  const sids = receiver.received.map(({ token }) => decodeUnverifiedJwt(token, 8192).claims['sid']);
  expect(sids.toSorted()).toEqual(sessions.map((id) => `${id} at notified`).toSorted());
  expect(await fixture.sql('SELECT id FROM session')).toEqual([{ id: lasting }]);
});

it('deletes finished deliveries after their retention', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver();
  await fixture.register('c', receiver.url);
  fixture.deliver([receiver], {
    LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS: 0.05,
    LOGOUT_DELIVERY_RETENTION_SECONDS: 0,
  });
  await fixture.logout(await fixture.login(['c']));
  await expect.poll(() => receiver.received.length).toBe(1);
  await expect.poll(() => fixture.list(), { timeout: 60_000 }).toEqual([]);
});

it('counts attempts, failures and waiting deliveries, with a fixed set of labels', async () => {
  const fixture = await createDeliveryFixture();
  const [good, bad, absent] = [await aReceiver(), await aReceiver(status(410)), await aReceiver(status(503))];
  await fixture.register('good', good.url);
  await fixture.register('bad', bad.url);
  await fixture.register('absent', absent.url);
  const { registry } = fixture.deliver([good, bad, absent]);
  await fixture.logout(await fixture.login(['good', 'bad', 'absent']));
  await fixture.until('dead', 1);
  await fixture.until('delivered', 1);
  await expect.poll(() => absent.received.length).toBeGreaterThan(0);
  await expect
    .poll(() => registry.metrics())
    .toSatisfy((text: string) =>
      ['delivered', 'given_up', 'retry'].every((outcome) => text.includes(`outcome="${outcome}"`)),
    );
  const text = await registry.metrics();
  expect(text).toMatch(/logout_deliveries_waiting 1/);
  expect(text).toMatch(/logout_deliveries_dead 1/);
  expect(text).toMatch(/logout_delivery_failures_total\{reason="status"\} ([2-9]|\d\d)/);
  expect(text).toMatch(/logout_delivery_oldest_seconds \d/);
  expect(text).not.toMatch(/127\.0\.0\.1|good|absent/);
});

it('attempts nothing before the keys are available, and shuts down at once if they never are', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver();
  await fixture.register('c', receiver.url);
  await fixture.logout(await fixture.login(['c']));
  const never = { ...fixture.store, opened: new Promise<void>(() => undefined) };
  await fixture.deliver([receiver], {}, never).close();
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  fixture.deliver([receiver], {}, { ...fixture.store, opened });
  expect(await fixture.list()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  open();
  await fixture.until('delivered', 1);
  expect(await fixture.list()).toMatchObject([{ attempts: 1 }]);
});
