import { expect, it } from 'vitest';
import { createDeliveryFixture, type DeliveryFixture } from '../support/delivery-fixture.js';
import { aReceiver, type Behaviour, hang, reset, status } from '../support/receiver.js';

const QUEUED = 40;

/** Queues notifications of a client, as after many logouts. */
const queue = ({ sql }: DeliveryFixture, client: string, count = QUEUED) =>
  sql(
    `INSERT INTO logout_delivery (client_id, uri, sid, next_attempt_at, created_at)
     SELECT id, metadata->>'backchannel_logout_uri', n::text, now(), now()
     FROM client, generate_series(1, $2) n WHERE id = $1`,
    [client, count],
  );

/** One server for several clients, each with its own path and behaviour. */
function aSharedReceiver(behaviours: Readonly<Record<string, Behaviour>>) {
  return aReceiver((request, response, number) => {
    const client = request.url?.slice(1).replace(/[?].*/, '') ?? '';
    (behaviours[client] ?? status(200))(request, response, number);
  });
}

/** The time from the commit to the notification for each of `count` logouts of a healthy client, in milliseconds. */
async function waits(fixture: DeliveryFixture, id: string, count: number): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let round = 1; round <= count; round += 1) {
    const startedMs = performance.now();
    await fixture.logout(await fixture.login([id]));
    await expect
      .poll(async () => (await fixture.list({ clientId: id as never, state: 'delivered' })).length, {
        timeout: 120_000,
        interval: 10,
      })
      .toBe(round);
    taken.push(performance.now() - startedMs);
  }
  return taken;
}

const BROKEN: Readonly<Record<string, Behaviour>> = {
  'responds with 503': status(503),
  hangs: hang,
  resets: reset,
};

it.each(Object.keys(BROKEN))(
  'notifies a healthy client at once while another one on its host %s, on its port and on another one',
  async (name) => {
    const behave = BROKEN[name] ?? hang;
    const fixture = await createDeliveryFixture();
    const shared = await aSharedReceiver({ broken: behave });
    const beside = await aReceiver();
    const at = (path: string) => shared.url.replace('/logout', `/${path}`);
    await fixture.register('broken', at('broken'));
    await fixture.register('healthy', at('healthy'));
    await fixture.register('beside', beside.url);
    await queue(fixture, 'broken');
    fixture.deliver([shared, beside]);
    // The broken client has failed often enough to be paused.
    await expect.poll(() => shared.received.length, { timeout: 60_000 }).toBeGreaterThan(3);
    const taken = [...(await waits(fixture, 'healthy', 6)), ...(await waits(fixture, 'beside', 6))];
    process.stderr.write(`${name}: at most ${Math.max(...taken).toFixed(0)} ms\n`);
    expect(Math.max(...taken)).toBeLessThan(1_000);
    expect(await fixture.list({ clientId: 'broken' as never, state: 'delivered' })).toEqual([]);
  },
);

it('notifies a healthy client at once that shares a server with a client that starts to hang', async () => {
  const fixture = await createDeliveryFixture();
  let isWell = true;
  const shared = await aSharedReceiver({
    turning: (...args) => (isWell ? status(200) : hang)(...args),
  });
  const at = (path: string) => shared.url.replace('/logout', `/${path}`);
  await fixture.register('turning', at('turning'));
  await fixture.register('healthy', at('healthy'));
  await queue(fixture, 'turning');
  fixture.deliver([shared]);
  await fixture.until('delivered', QUEUED);
  isWell = false;
  await queue(fixture, 'turning');
  await expect.poll(() => shared.received.length).toBeGreaterThan(QUEUED);
  const taken = await waits(fixture, 'healthy', 3);
  process.stderr.write(`turning: at most ${Math.max(...taken).toFixed(0)} ms\n`);
  expect(Math.max(...taken)).toBeLessThan(1_000);
});
