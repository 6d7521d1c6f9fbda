import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { json, type Respond, startProgrammedServer } from '../testing/authorization-server.js';
import { countClientConnections } from '../testing/client-connections.js';
import { active, aResourceServer, bearer, summary, TOKEN } from '../testing/resource-server-fixture.js';

const tokens = (count: number) => Array.from({ length: count }, (_, index) => `${TOKEN}-${index}`);

const hang: Respond = () => undefined;

function respondActive(response: ServerResponse | undefined): void {
  response?.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(active()));
}

/** A resource server with a count of its connections, and its introspection failures by reason. */
async function bounded(
  respond: Respond,
  connection: { timeoutMs: number; maxConcurrent?: number; maxWaiting?: number },
) {
  const authorizationServer = await startProgrammedServer(respond);
  const connections = countClientConnections();
  const fixture = aResourceServer(authorizationServer.url, {
    connection,
    cache: { lifetimeSeconds: 60 },
  });
  const failures = () =>
    Object.fromEntries(
      (
        fixture.server.metrics.all
          .find(({ name }) => name === 'resource_server_introspections_total')
          ?.read() ?? []
      ).flatMap(({ labels, value }) => {
        const { outcome = '' } = labels;
        return value === 0 || outcome === 'active' ? [] : [[outcome, value]];
      }),
    );
  return { ...fixture, authorizationServer, connections, failures };
}

describe('concurrent introspection requests', () => {
  it('have 64 connections at most while the endpoint hangs, and cached tokens are accepted', async () => {
    const { server, problems, authorizationServer, connections, failures } = await bounded(json(active()), {
      timeoutMs: 1_000,
    });
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    authorizationServer.respond = hang;
    const order: string[] = [];
    const pending = tokens(2_000).map(async (token) => {
      const verification = await server.verify(bearer(token));
      expect(verification).toMatchObject({
        status: 503,
        reason: 'unavailable',
        headers: { 'Retry-After': '1' },
      });
      order.push(token);
    });
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    expect(order).toEqual([]);
    await Promise.all(pending);
    // Those that wait give up after the time of one attempt, before those that have a slot end their second attempt.
    expect(order.slice(0, 1_936).toSorted()).toEqual(tokens(2_000).slice(64).toSorted());
    expect(failures()).toEqual({ overloaded: 1_936, timeout: 64 });
    expect(problems.filter(({ reason }) => reason === 'overloaded').length).toBe(1_936);
    expect(connections.most()).toBe(64);
    expect(server.verifyCached(bearer())?.outcome).toBe('accepted');
    authorizationServer.respond = json(active());
    expect(summary(await server.verify(bearer('another')))).toBe('accepted');
  });

  it('wait for a kept connection in a burst, without a failure', async () => {
    let [left, most] = [1_500, 0];
    const waiting: ServerResponse[] = [];
    // Responds when as many requests have arrived as may be on their way.
    const inWaves: Respond = (request, response) => {
      waiting.push(response);
      most = Math.max(most, waiting.length);
      if (waiting.length < Math.min(64, left)) return;
      left -= waiting.length;
      for (const each of waiting.splice(0)) json(active())(request, each);
    };
    const { server, authorizationServer, connections, failures } = await bounded(inWaves, {
      timeoutMs: 20_000,
    });
    const verified = await Promise.all(tokens(1_500).map((token) => server.verify(bearer(token))));
    expect(new Set(verified.map(summary))).toEqual(new Set(['accepted']));
    expect(failures()).toEqual({});
    expect([most, connections.most(), authorizationServer.connections()]).toEqual([64, 64, 64]);
  });

  it.each<[string, Respond]>([
    ['a 5xx', json({}, 503)],
    ['a broken connection', (_request, response) => void response.destroy()],
  ])('replace the connection with a new one after %s', async (_what, fail) => {
    const seen = new Set<string>();
    const { server, authorizationServer, connections, failures } = await bounded(
      (request, response) => {
        const token = request.form.get('token') ?? '';
        const isFirst = !seen.has(token);
        seen.add(token);
        (isFirst && Number(token.split('-')[1]) % 3 === 0 ? fail : json(active()))(request, response);
      },
      { timeoutMs: 20_000, maxConcurrent: 4 },
    );
    const verified = await Promise.all(tokens(60).map((token) => server.verify(bearer(token))));
    expect(new Set(verified.map(summary))).toEqual(new Set(['accepted']));
    expect(failures()).toEqual({});
    expect(authorizationServer.requests.length).toBe(80);
    expect(connections.most()).toBe(4);
  });

  it('have one waiting place for each token, however often and however long it is used', async () => {
    const responses: ServerResponse[] = [];
    const { server, monotonic, authorizationServer, failures } = await bounded(
      (_request, response) => void responses.push(response),
      { timeoutMs: 20_000, maxConcurrent: 1, maxWaiting: 2 },
    );
    const verified = ['the-running-one', 'a-hot-one', 'another'].map((token) => server.verify(bearer(token)));
    await expect.poll(() => responses.length).toBe(1);
    for (let count = 0; count < 40; count += 1) {
      monotonic.nowMs += 300;
      verified.push(server.verify(bearer('a-hot-one')));
    }
    expect(summary(await server.verify(bearer('one-too-many')))).toBe('503 unavailable');
    authorizationServer.respond = json(active());
    respondActive(responses[0]);
    expect(new Set((await Promise.all(verified)).map(summary))).toEqual(new Set(['accepted']));
    expect(authorizationServer.requests.length).toBe(3);
    expect(failures()).toEqual({ overloaded: 1 });
  });

  it('may be shared for 250 ms after they were sent, not after they began to wait', async () => {
    const responses: ServerResponse[] = [];
    const { server, monotonic, authorizationServer } = await bounded(
      (_request, response) => void responses.push(response),
      { timeoutMs: 20_000, maxConcurrent: 2 },
    );
    const verified = ['one', 'other', 'a-hot-one'].map((token) => server.verify(bearer(token)));
    await expect.poll(() => responses.length).toBe(2);
    monotonic.nowMs += 10_000;
    responses.splice(0).forEach(respondActive);
    await expect.poll(() => responses.length).toBe(1);
    monotonic.nowMs += 249;
    verified.push(server.verify(bearer('a-hot-one')));
    monotonic.nowMs += 1;
    verified.push(server.verify(bearer('a-hot-one')));
    await expect.poll(() => responses.length).toBe(2);
    respondActive(responses[0]);
    responses[1]?.writeHead(200, { 'Content-Type': 'application/json' }).end('{"active":false}');
    const expected = [...Array(4).fill('accepted'), '401 inactive'];
    expect((await Promise.all(verified)).map(summary)).toEqual(expected);
    expect(authorizationServer.requests.length).toBe(4);
  });

  it('are cached from when they were sent, not from when they began to wait', async () => {
    const responses: ServerResponse[] = [];
    const { server, monotonic, authorizationServer } = await bounded(
      (_request, response) => void responses.push(response),
      { timeoutMs: 20_000, maxConcurrent: 1 },
    );
    const verified = ['a-token', 'a-later-one'].map((token) => server.verify(bearer(token)));
    await expect.poll(() => responses.length).toBe(1);
    monotonic.nowMs += 30_000;
    authorizationServer.respond = json(active());
    respondActive(responses[0]);
    expect((await Promise.all(verified)).map(summary)).toEqual(['accepted', 'accepted']);
    monotonic.nowMs += 59_999;
    expect(server.verifyCached(bearer('a-token'))).toBeUndefined();
    expect(server.verifyCached(bearer('a-later-one'))?.outcome).toBe('accepted');
  });

  it('make no second attempt when the time of two is over', async () => {
    const responses: ServerResponse[] = [];
    const { server, monotonic, problems, authorizationServer } = await bounded(
      (_request, response) => void responses.push(response),
      { timeoutMs: 20_000, maxConcurrent: 1 },
    );
    const verified = ['a-token', 'a-later-one'].map((token) => server.verify(bearer(token)));
    await expect.poll(() => responses.length).toBe(1);
    monotonic.nowMs += 40_000;
    responses[0]?.writeHead(503).end();
    expect(summary((await verified[0]) ?? expect.fail())).toBe('503 unavailable');
    await expect.poll(() => responses.length).toBe(2);
    responses[1]?.destroy();
    expect(summary((await verified[1]) ?? expect.fail())).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['status', 'connection']);
    expect(authorizationServer.requests.length).toBe(2);
  });

  it('leave their slot when the application gives no credentials in time', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    let isHanging = true;
    const { server, problems } = aResourceServer(authorizationServer.url, {
      connection: { timeoutMs: 1_000, maxConcurrent: 1 },
      credentials: {
        method: 'access_token',
        clientId: 'rs1',
        accessToken: () => (isHanging ? new Promise<string>(() => undefined) : Promise.resolve('its-token')),
      },
    });
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['internal']);
    isHanging = false;
    expect(summary(await server.verify(bearer()))).toBe('accepted');
  });
});
