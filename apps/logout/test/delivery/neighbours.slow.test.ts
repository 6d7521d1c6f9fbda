import { decodeUnverifiedJwt } from '@vestibule/crypto/jwt';
import { expect, it } from 'vitest';
import { createDeliveryFixture, type DeliveryFixture } from '../support/delivery-fixture.js';
import { aReceiver, type Behaviour, hang, type Receiver, reset, status } from '../support/receiver.js';

const QUEUED = 40;

/** The default of the service, which ends deliveries to clients that hang. */
const TIMEOUT = { LOGOUT_DELIVERY_TIMEOUT_MS: 3_000 };

/** A host at which every client responds. */
const UNAFFECTED = '127.7.0.1';

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

/** Registers a client at a host that no other client affects, to compare with. A slow machine delays it too. */
async function anUnaffected(fixture: DeliveryFixture): Promise<Receiver> {
  const receiver = await aReceiver(status(200), UNAFFECTED);
  await fixture.register('unaffected', receiver.url);
  return receiver;
}

/** When the notifications of a client arrived, in milliseconds. */
const arrivals = ({ received }: Receiver, id: string) =>
  received
    .filter(({ token }) => decodeUnverifiedJwt(token, 8192).claims['aud'] === id)
    .map(({ atMs }) => atMs);

/**
 * For each of `count` logouts of a healthy client and of the unaffected one, how much later the healthy one was notified, in
 * milliseconds.
 */
async function delays(
  fixture: DeliveryFixture,
  [id, receiver]: readonly [string, Receiver],
  unaffected: Receiver,
  count: number,
): Promise<readonly number[]> {
  const delaysMs: number[] = [];
  for (let round = 1; round <= count; round += 1) {
    const earlier = arrivals(unaffected, 'unaffected').length;
    await fixture.logout(await fixture.login([id, 'unaffected']));
    const both = () => [arrivals(receiver, id)[round - 1], arrivals(unaffected, 'unaffected')[earlier]];
    await expect
      .poll(both, { timeout: 120_000, interval: 10 })
      .toEqual([expect.any(Number), expect.any(Number)]);
    const [atMs = 0, unaffectedAtMs = 0] = both();
    delaysMs.push(atMs - unaffectedAtMs);
  }
  return delaysMs;
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
    const unaffected = await anUnaffected(fixture);
    await queue(fixture, 'broken');
    fixture.deliver([shared, beside, unaffected], TIMEOUT);
    // The broken client has failed often enough to be paused.
    await expect.poll(() => shared.received.length, { timeout: 60_000 }).toBeGreaterThan(3);
    const delaysMs = [
      ...(await delays(fixture, ['healthy', shared], unaffected, 6)),
      ...(await delays(fixture, ['beside', beside], unaffected, 6)),
    ];
    process.stderr.write(`${name}: at most ${Math.max(...delaysMs)} ms later\n`);
    expect(Math.max(...delaysMs)).toBeLessThan(1_000);
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
  const unaffected = await anUnaffected(fixture);
  await queue(fixture, 'turning');
  fixture.deliver([shared, unaffected], TIMEOUT);
  await fixture.until('delivered', QUEUED);
  isWell = false;
  await queue(fixture, 'turning');
  await expect.poll(() => shared.received.length).toBeGreaterThan(QUEUED);
  const delaysMs = await delays(fixture, ['healthy', shared], unaffected, 3);
  process.stderr.write(`turning: at most ${Math.max(...delaysMs)} ms later\n`);
  expect(Math.max(...delaysMs)).toBeLessThan(1_000);
});
