import { connect } from 'node:net';
import { secureRandom } from '@vestibule/crypto';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { changeFollower, type FollowChanges, LIST_SIZE } from '@vestibule/tokens/changes';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { changeStreams } from '../../src/changes/change-streams.js';
import { buildApp } from '../../src/index.js';
import { buildTestApp, MASTER, type TestApp } from '../support/build-test-app.js';
import { members, NO_CONTENT, post, send } from '../support/calls.js';
import { changesFrom, listening } from '../support/change-reader.js';

const live = (settings = {}) => buildTestApp(settings, false, true);

/** Opens a session of a user at a new client. */
async function aSession({ app, register }: TestApp, sub = 'alice') {
  const { client_id: id } = await register();
  const session = members(await post(app, '/direct-authz/sessions', { sub, client_ids: [id] }));
  return { id, sid: String(session['sid']), clients: session['clients'] };
}

/** The same service with few streams and frequent heartbeats, which counts the lists that readers take. */
function restricted(service: TestApp, limits: { maxStreams?: number; heartbeatMs?: number }) {
  const { deps, store, config } = service;
  const onProblem = () => undefined;
  const follow = changeFollower({
    log: store.database.changes,
    openNotices: (onNotice) => store.database.openChangeNotices({ onNotice, onProblem }),
    clock: deps.clock,
    scheduler: nodeScheduler,
    random: secureRandom,
    retentionSeconds: config.CHANGES_RETENTION_SECONDS,
    idleMs: limits.heartbeatMs ?? 10_000,
    onProblem,
  });
  let lists = 0;
  const counted: FollowChanges = async function* (start, signal) {
    for await (const list of follow(start, signal)) {
      lists += 1;
      yield list;
    }
  };
  const changes = changeStreams({ follow: counted, ...limits });
  const app = buildApp({ ...deps, changes }, { logger: false });
  onTestFinished(() => app.close());
  return { app, changes, lists: () => lists };
}

describe('the stream of changes', () => {
  it('begins with a reset and sends each end with its reason', async () => {
    const service = await live();
    const { id, sid, clients } = await aSession(service);
    const stream = await changesFrom(service.app);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(await stream.block()).toBe('retry: 2000');
    const reset = await stream.next();
    expect(reset).toMatchObject({ event: 'reset', data: { type: 'reset', reason: 'no_position' } });
    expect(await send(service.app, `DELETE /direct-authz/sessions/${sid}`, { token: MASTER })).toEqual(
      NO_CONTENT,
    );
    const ended = await stream.next();
    expect(ended).toEqual({
      id: expect.stringMatching(/^\d+-\d+-[0-9a-f-]{36}$/),
      event: 'session.ended',
      data: {
        id: ended.id,
        type: 'session.ended',
        occurred_at: expect.any(Number),
        reason: 'operator',
        sid,
        sub: 'alice',
        clients,
      },
    });
    expect(await post(service.app, '/direct-authz/revoke', { client_id: id })).toEqual(NO_CONTENT);
    expect((await stream.next()).data).toMatchObject({
      type: 'tokens.revoked',
      reason: 'revoked',
      covers: 'client',
      client_id: id,
    });
  });

  it('continues exactly after the last event that the reader has', async () => {
    const service = await live();
    const first = await changesFrom(service.app);
    let last = (await first.next()).id ?? '';
    first.response.destroy();
    const subs = ['a', 'b', 'c', 'd'];
    const seen: unknown[] = [];
    for (const sub of subs) await post(service.app, '/direct-authz/revoke', { sub });
    while (seen.length < subs.length) {
      const { response, next } = await changesFrom(service.app, { headers: { 'last-event-id': last } });
      const { id = '', data } = await next();
      seen.push(data?.['sub']);
      last = id;
      response.destroy();
    }
    expect(seen).toEqual(subs);
  });

  it('sends everything that is kept on request, and a reset for an unknown position', async () => {
    const service = await live();
    await post(service.app, '/direct-authz/revoke', { sub: 'unread' });
    await (await changesFrom(service.app)).next();
    await post(service.app, '/direct-authz/revoke', { sub: 'alice' });
    const all = await changesFrom(service.app, { query: '?from=start' });
    expect((await all.next()).data).toMatchObject({ type: 'reset', reason: 'no_position' });
    expect((await all.next()).data).toMatchObject({ sub: 'alice' });
    const unknown = await changesFrom(service.app, {
      headers: { 'last-event-id': 'unknown' },
      query: '?from=start',
    });
    expect((await unknown.next()).data).toMatchObject({ type: 'reset', reason: 'unknown_position' });
  });

  it('sends a comment while nothing happens', async () => {
    const { app } = restricted(await live(), { heartbeatMs: 20 });
    const { next, block } = await changesFrom(app);
    await next();
    expect([await block(), await block()]).toEqual([':', ':']);
  });

  it('responds at once, and sends comments, while the first event has to wait for another transaction', async () => {
    const service = await live();
    const { app } = restricted(service, { heartbeatMs: 20 });
    const older = await service.connection();
    await older.query('BEGIN; SELECT pg_current_xact_id()');
    const { response, block, next } = await changesFrom(app);
    expect(response.statusCode).toBe(200);
    expect([await block(), await block(), await block()]).toEqual(['retry: 2000', ':', ':']);
    await older.query('COMMIT');
    expect((await next()).event).toBe('reset');
  });

  it('contains no token, secret or digest', async () => {
    const service = await live();
    const { id, sid } = await aSession(service);
    const tokens: string[] = [];
    for (const format of ['identifier', 'jwt']) {
      const { access_token: token } = members(
        await post(service.app, '/direct-authz', { client_id: id, sub: 'alice', scope: 'read', format, sid }),
      );
      tokens.push(String(token));
    }
    const stream = await changesFrom(service.app);
    await stream.next();
    for (const token of tokens) await post(service.app, '/direct-authz/revoke', { token });
    for (const token of tokens) {
      const text = JSON.stringify(await stream.next());
      expect(text).toContain('"covers":"token"');
      expect(text).not.toContain(token);
      expect(text).not.toContain(
        Buffer.from(service.store.digester.digest('access-token', token)).toString('hex'),
      );
    }
  });

  it('is limited in number, and a place is free again when a reader leaves', async () => {
    const service = restricted(await live(), { maxStreams: 2 });
    const [one] = [await changesFrom(service.app), await changesFrom(service.app)];
    const { response } = await changesFrom(service.app);
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '5']);
    one.response.destroy();
    await vi.waitFor(async () => {
      const again = await changesFrom(service.app);
      expect(again.response.statusCode).toBe(200);
    }, 60_000);
  });

  it('is refused behind another one on its connection, because its end would not be noticed', async () => {
    const { app, changes } = restricted(await live(), {});
    const url = new URL(await listening(app));
    const socket = connect(Number(url.port), url.hostname).resume();
    onTestFinished(() => void socket.destroy());
    const request = `GET /direct-authz/changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${MASTER}\r\n\r\n`;
    socket.write(request.repeat(5));
    await vi.waitFor(() => expect(changes.count()).toBeGreaterThan(0), 60_000);
    await changesFrom(app);
    expect(changes.count()).toBe(2);
    socket.destroy();
    await vi.waitFor(() => expect(changes.count()).toBe(1), 60_000);
  });

  it('ends when the service shuts down, which waits for no reader', async () => {
    const service = restricted(await live(), {});
    const { next, block } = await changesFrom(service.app);
    await next();
    const closing = service.app.close();
    while ((await block()) !== undefined);
    await closing;
    expect(service.changes.count()).toBe(0);
  });

  it('holds little for a reader that does not read', async () => {
    const service = await live();
    const { app, changes, lists } = restricted(service, {});
    const url = new URL(await listening(app));
    const socket = connect(Number(url.port), url.hostname).pause();
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET /direct-authz/changes?from=start HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${MASTER}\r\n\r\n`,
    );
    await vi.waitFor(() => expect(changes.count()).toBe(1), 60_000);
    await service.sql(
      `INSERT INTO change ("type", reason, members)
        SELECT 'client.ended', 'deleted', jsonb_build_object('client_id', repeat('x', 1000)) FROM generate_series(1, 50000)`,
    );
    let last = -1;
    await vi.waitFor(
      () => {
        const before = last;
        last = lists();
        expect(last).toBeGreaterThan(1);
        expect(last).toBe(before);
      },
      { timeout: 30_000, interval: 500 },
    );
    expect(last).toBeLessThan(50_000 / LIST_SIZE / 2);
  });
});

it.each(['?from=end', '?from=start&from=start'])('refuses the query %s', async (query) => {
  const { app } = await live();
  const { response } = await changesFrom(app, { query });
  expect(response.statusCode).toBe(400);
});
