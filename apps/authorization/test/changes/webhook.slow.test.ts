import { createEgress } from '@vestibule/egress';
import { createMetrics } from '@vestibule/http/observability';
import { memoryLog, TEST_CERTIFICATE } from '@vestibule/http/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openChangeWebhook } from '../../src/index.js';
import { buildTestApp, ISSUER, MASTER, type TestApp } from '../support/build-test-app.js';
import { members, NO_CONTENT, post, send } from '../support/calls.js';
import { rotateSigningKey } from '../support/rotate-signing-key.js';
import { aReceiver, type ReceivedEvent, type Respond } from '../support/webhook-receiver.js';

/** Timeout for expected events, in milliseconds, long enough for a busy machine. */
const EVENTUALLY = { timeout: 60_000, interval: 20 };

const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';

const live = () => buildTestApp({}, false, true);

type WebhookOptions = Parameters<typeof openChangeWebhook>[0];

/** Starts the webhook of one instance, which does not wait between two attempts. */
function webhook({ store, config, deps }: TestApp, url: string, options: Partial<WebhookOptions> = {}) {
  const { logger, lines, text } = memoryLog();
  const metrics = createMetrics('test');
  const dependency = openChangeWebhook({
    config: { ...config, CHANGES_WEBHOOK_URL: new URL(url) },
    store,
    follow: deps.followChanges,
    logger,
    metrics,
    tracer: undefined,
    timing: { leaseMs: 6_000, random: { bytes: (length) => new Uint8Array(length) } },
    ...options,
  });
  if (dependency === undefined) throw new Error('there is no webhook');
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= dependency.close();
    return closing;
  };
  onTestFinished(close);
  /** The value of a metric. */
  const read = async (name: string, label = '') => {
    const exposition = await metrics.registry.metrics();
    const line = exposition.split('\n').find((text) => text.startsWith(name) && text.includes(label));
    return Number(line?.split(' ').at(-1));
  };
  const accepted = () => read('change_deliveries_total', 'accepted');
  const lag = () => read('change_delivery_lag_seconds');
  return { close, lines, text, problem: () => dependency.problem?.(), read, accepted, lag };
}

/** A service with a receiver that has got the first reset. */
async function aDelivery(respond?: Respond) {
  const service = await live();
  const receiver = await aReceiver(service.app);
  const running = webhook(service, receiver.url);
  await got(receiver, 1);
  if (respond !== undefined) receiver.respond = respond;
  return { service, receiver, running };
}

/** A response that keeps the webhook from sending again at once. */
const busy: ReturnType<Respond> = (response) => response.writeHead(503, { 'retry-after': '1' }).end();

interface Got {
  readonly received: readonly ReceivedEvent[];
}

const revoke = async ({ app }: Pick<TestApp, 'app'>, ...subs: readonly string[]) => {
  for (const sub of subs) expect(await post(app, '/direct-authz/revoke', { sub })).toEqual(NO_CONTENT);
};
const got = ({ received }: Got, count: number) =>
  vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), EVENTUALLY);
const subs = ({ received }: Got) => received.map(({ event }) => event['sub'] ?? event['type']);

describe('the webhook', () => {
  it('gets a reset first, and then each change as a token that the published keys verify', async () => {
    const { service, receiver } = await aDelivery();
    const [reset] = receiver.received;
    expect(reset?.event).toMatchObject({ type: 'reset', reason: 'no_position' });
    const { client_id: id } = await service.register();
    const { sid, clients } = members(
      await post(service.app, '/direct-authz/sessions', { sub: 'alice', client_ids: [id] }),
    );
    const path = `DELETE /direct-authz/sessions/${sid}`;
    expect(await send(service.app, path, { token: MASTER })).toEqual(NO_CONTENT);
    await got(receiver, 2);
    const [, ended] = receiver.received;
    const { id: jti, occurred_at: toe } = ended?.event ?? {};
    expect(ended?.header).toEqual({ alg: 'ES256', typ: 'secevent+jwt', kid: expect.any(String) });
    expect(ended?.claims).toEqual({
      iss: ISSUER,
      aud: receiver.url,
      iat: expect.any(Number),
      jti,
      toe,
      sub_id: {
        format: 'complex',
        user: { format: 'iss_sub', iss: ISSUER, sub: 'alice' },
        session: { format: 'opaque', id: sid },
      },
      events: {
        [SESSION_REVOKED]: {
          id: jti,
          type: 'session.ended',
          occurred_at: expect.any(Number),
          event_timestamp: toe,
          reason: 'operator',
          sid,
          sub: 'alice',
          clients,
        },
      },
    });
    expect(ended?.headers).toMatchObject({
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
    });
    await revoke(service, 'bob');
    await got(receiver, 3);
    expect(receiver.received[2]).toMatchObject({
      types: [`${ISSUER}/direct-authz/changes#tokens.revoked`],
      event: { type: 'tokens.revoked', covers: 'subject', sub: 'bob' },
      claims: { sub_id: { format: 'iss_sub', iss: ISSUER, sub: 'bob' } },
    });
  });

  it('gets changes in order, each with one identifier until the response is 202', async () => {
    const { service, receiver, running } = await aDelivery();
    const elsewhere = await aReceiver(service.app);
    const responses: ReturnType<Respond>[] = [
      503,
      (response) => response.writeHead(307, { location: elsewhere.url }).end(),
      (response) => response.destroy(),
      200,
      403,
      (response) => response.writeHead(400).end(JSON.stringify({ err: 'invalid_key', description: 'a' })),
    ];
    receiver.respond = () => responses.shift() ?? 202;
    await revoke(service, 'a', 'b', 'c');
    await vi.waitFor(() => expect(running.lines()).toHaveLength(2), EVENTUALLY);
    await got(receiver, 10);
    expect(subs(receiver)).toEqual(['reset', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'c']);
    expect(new Set(receiver.received.slice(1, 8).map(({ jti }) => jti)).size).toBe(1);
    expect(elsewhere.received).toEqual([]);
    expect(running.lines().map(({ msg, reason, status, count }) => [msg, reason, status, count])).toEqual([
      ['the webhook did not accept a change, which is sent again', 'status', 503, undefined],
      ['the webhook accepts changes again', undefined, undefined, 6],
    ]);
    expect(await running.read('change_deliveries_total', 'refused')).toBe(5);
    expect(await running.read('change_deliveries_total', 'failed')).toBe(1);
  });

  it('tells operators why changes wait, and for how long, until they are accepted', async () => {
    const { service, receiver, running } = await aDelivery(
      () => (response) => response.writeHead(400, { 'retry-after': '1' }).end('{"err":"invalid_audience"}'),
    );
    await revoke(service, 'a');
    const problem = 'CHANGES_WEBHOOK_URL: status 400 invalid_audience';
    await vi.waitFor(() => expect(running.problem()).toBe(problem), EVENTUALLY);
    await vi.waitFor(async () => expect(await running.lag()).toBeGreaterThan(0), EVENTUALLY);
    receiver.respond = () => 202;
    await vi.waitFor(
      async () => expect([running.problem(), await running.lag()]).toEqual([undefined, 0]),
      EVENTUALLY,
    );
  });

  it('reports no problem any more when another instance has taken over', async () => {
    const { service, receiver, running } = await aDelivery(() => busy);
    await revoke(service, 'a');
    await vi.waitFor(() => expect(running.problem()).toBe('CHANGES_WEBHOOK_URL: status 503'), EVENTUALLY);
    await service.sql(
      `UPDATE change_delivery SET holder = gen_random_uuid(), leased_until = now() + interval '10 seconds'`,
    );
    await vi.waitFor(() => expect(running.problem()).toBeUndefined(), EVENTUALLY);
    const { length } = receiver.received;
    await service.sql('UPDATE change_delivery SET leased_until = now()');
    await got(receiver, length + 1);
    await vi.waitFor(() => expect(running.problem()).toBe('CHANGES_WEBHOOK_URL: status 503'), EVENTUALLY);
    expect(running.lines().map(({ msg }) => msg)).toEqual([
      'the webhook did not accept a change, which is sent again',
      'the webhook did not accept a change, which is sent again',
    ]);
  });

  it('waits as long as the receiver asks for', async () => {
    const times: number[] = [];
    const { service, receiver } = await aDelivery(() => {
      times.push(performance.now());
      return times.length > 1 ? 202 : (response) => response.writeHead(429, { 'retry-after': '2' }).end();
    });
    await revoke(service, 'a');
    await got(receiver, 3);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_990);
  });

  it('gets each change once from any number of instances, and another one continues when one stops', async () => {
    const { service, receiver, running } = await aDelivery();
    const others = [webhook(service, receiver.url), webhook(service, receiver.url)];
    const names = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    await revoke(service, ...names.slice(0, 10));
    await got(receiver, 11);
    await running.close();
    await revoke(service, ...names.slice(10));
    await got(receiver, 21);
    expect(subs(receiver)).toEqual(['reset', ...names]);
    await vi.waitFor(async () => {
      const accepted = await Promise.all(others.map((other) => other.accepted()));
      expect(accepted.toSorted((a, b) => a - b)).toEqual([0, 10]);
    }, EVENTUALLY);
  });

  it('continues where it was after a restart, and gets a reset if that is no longer kept', async () => {
    const { service, receiver, running } = await aDelivery();
    await running.close();
    await revoke(service, 'a', 'b');
    const second = webhook(service, receiver.url);
    await got(receiver, 3);
    expect(subs(receiver)).toEqual(['reset', 'a', 'b']);
    await second.close();
    await revoke(service, 'c', 'd');
    await service.sql(
      'DELETE FROM change WHERE (transaction, id) < (SELECT max(transaction), 0 FROM change)',
    );
    webhook(service, receiver.url);
    await got(receiver, 4);
    expect(receiver.received[3]?.event).toMatchObject({ type: 'reset', reason: 'unknown_position' });
    await revoke(service, 'e');
    await got(receiver, 5);
    expect(subs(receiver)).toEqual(['reset', 'a', 'b', 'reset', 'e']);
    expect(new Set(receiver.received.map(({ jti }) => jti)).size).toBe(5);
  });

  it('gets a reset at another address, without its query in tokens, logs and the store', async () => {
    const { service, receiver, running } = await aDelivery(() => busy);
    await revoke(service, 'a');
    await running.close();
    const other = await aReceiver(service.app, { respond: () => busy });
    const { text, lines } = webhook(service, `${other.url}?code=canary`);
    await got(other, 2);
    expect(other.received[0]).toMatchObject({ event: { type: 'reset' }, claims: { aud: other.url } });
    await vi.waitFor(() => expect(lines()).not.toEqual([]), EVENTUALLY);
    expect(text()).not.toContain('canary');
    expect(await service.sql('SELECT receiver FROM change_delivery ORDER BY receiver')).toEqual(
      [receiver.url, other.url].toSorted().map((url) => ({ receiver: url })),
    );
  });

  it('verifies tokens that are signed with a new key after a rotation', async () => {
    const { service, receiver } = await aDelivery();
    const { kid } = await rotateSigningKey(service.store);
    await revoke(service, 'a');
    await got(receiver, 2);
    expect(receiver.received.map(({ header }) => header.kid === kid)).toEqual([false, true]);
    expect(receiver.problems).toEqual([]);
  });

  it('uses TLS, and sends nothing to a server whose certificate is not trusted', async () => {
    const service = await live();
    const host = 'client.example';
    const receiver = await aReceiver(service.app, { certificate: { ...TEST_CERTIFICATE, host } });
    const egress = (trustedCertificates: readonly string[]) =>
      createEgress({
        trustedCertificates,
        allowHosts: [new URL(receiver.url).host],
        lookup: async () => ['127.0.0.1'],
      });
    const untrusting = webhook(service, receiver.url, { egress: egress([]) });
    await vi.waitFor(() => expect(untrusting.problem()).toMatch(/^CHANGES_WEBHOOK_URL: tls /), EVENTUALLY);
    await untrusting.close();
    expect(receiver.received).toEqual([]);
    webhook(service, receiver.url, { egress: egress([TEST_CERTIFICATE.cert]) });
    await got(receiver, 1);
  });

  it('sends again what could not be signed, without a response of the receiver', async () => {
    const service = await live();
    const receiver = await aReceiver(service.app);
    const config = {
      ...service.config,
      CHANGES_WEBHOOK_URL: new URL(receiver.url),
      ACCESS_TOKEN_SIGNING_ALG: 'PS512',
    } as const;
    const { problem, lines, close } = webhook(service, receiver.url, { config });
    await vi.waitFor(() => expect(problem()).toBe('CHANGES_WEBHOOK_URL: not_signed'), EVENTUALLY);
    await close();
    expect(lines().map(({ msg }) => msg)).toContain('changes cannot be delivered to the webhook');
    webhook(service, receiver.url);
    await got(receiver, 1);
  });

  it('loses and reorders nothing when all connections to the database are cut again and again', async () => {
    const { service, receiver } = await aDelivery();
    // One after the other, so that none cuts the connection of another.
    let cuts: Promise<unknown> = Promise.resolve();
    const cut = () => {
      cuts = cuts.then(() =>
        service.sql(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        ),
      );
      return cuts;
    };
    const names = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    // Before the position is stored.
    receiver.respond = () => async (response) => {
      if (receiver.received.length % 4 === 0) await cut();
      response.writeHead(202).end();
    };
    for (const [index, sub] of names.entries()) {
      if (index % 4 === 0) await cut();
      // A request whose connection is cut gets 500, and can be repeated.
      await vi.waitFor(() => revoke(service, sub), EVENTUALLY);
    }
    await vi.waitFor(() => expect(subs(receiver).at(-1)).toBe('user-19'), EVENTUALLY);
    expect(subs(receiver).filter((sub, index, all) => sub !== all[index - 1])).toEqual(['reset', ...names]);
  });

  it('holds up neither revocations nor the shutdown while it does not respond', async () => {
    const { service, receiver, running } = await aDelivery(() => () => undefined);
    await revoke(service, 'a');
    await got(receiver, 2);
    await revoke(service, 'b');
    await running.close();
    const [row] = await service.sql('SELECT leased_until <= now() AS "isFree" FROM change_delivery');
    expect(row).toEqual({ isFree: true });
  });
});

it('is off without its setting', async () => {
  const { store, config, deps } = await live();
  const { logger } = memoryLog();
  const metrics = createMetrics('test');
  const options = { config, store, follow: deps.followChanges, logger, metrics, tracer: undefined };
  expect(openChangeWebhook(options)).toBeUndefined();
});
