import { once } from 'node:events';
import { foreignSql } from '@vestibule/local-services/testing';
import { type ClientId, nowSeconds, systemClock } from '@vestibule/protocol';
import { describe, expect, it, vi } from 'vitest';
import { aCachedInstance, aTimedService, type CachedInstance } from '../support/cached-instance.js';
import { changesFrom, type SeenEvent } from '../support/change-reader.js';
import { basic, call } from '../support/introspection-call.js';
import { aSeparateToken, REVOCATION_PATHS } from '../support/revocation-paths.js';

const PREFER = { headers: { prefer: 'cache-tags' } };
const NUMBER = /^[\w-]{16}\.(\d+)$/;

const numberOf = (position: unknown) =>
  BigInt(NUMBER.exec(String(position))?.[1] ?? expect.fail(`${position}`));

/** Introspects a token until the response may be kept, and returns what it says about that. */
async function keptResponse({ app }: Pick<CachedInstance, 'app'>, token: string) {
  const { headers } = await vi.waitUntil(async () => {
    const response = await call(app, { token }, PREFER);
    return response.headers['stream-position'] === undefined ? undefined : response;
  }, 60_000);
  return { number: numberOf(headers['stream-position']), tags: String(headers['cache-tags']).split(', ') };
}

type Kept = Awaited<ReturnType<typeof keptResponse>>;

const isOutdatedBy = ({ number, tags }: Kept, { event, data }: SeenEvent) =>
  event === 'invalidate' && tags.some((tag) => data.tags?.includes(tag)) && BigInt(data.at ?? '') >= number;

describe('the stream of changes', () => {
  it('begins with the time and a reset, and goes on with heartbeats', async () => {
    const { app } = await aCachedInstance(await aTimedService());
    const { response, next } = await changesFrom(app);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(await next()).toEqual({ event: 'open', data: { time: expect.any(Number) } });
    expect(await next()).toEqual({
      event: 'reset',
      id: expect.stringMatching(NUMBER),
      data: { reason: 'no_position', at: expect.stringMatching(/^\d+$/), time: expect.any(Number) },
    });
    const first = await next('heartbeat');
    expect(first.id).toMatch(NUMBER);
    let { time } = first.data;
    while (time === first.data.time) ({ time } = (await next('heartbeat')).data);
    expect(time).toBeGreaterThan(first.data.time);
  });

  it.each(
    REVOCATION_PATHS.flatMap((path) => path.formats.map((format) => [path.name, format, path] as const)),
  )('outdates a response at every instance after a revocation by %s (%s)', async (_name, format, path) => {
    const service = await aTimedService();
    const sql = await foreignSql(service.databaseUrl);
    const [one, other] = [await aCachedInstance(service), await aCachedInstance(service)];
    const token = await aSeparateToken({ service, sql }, 'separate', format);
    const { next } = await changesFrom(other.app);
    await next('reset');
    const kept = await keptResponse(one, token.token);
    await path.revoke({ service, sql }, token);
    let event = await next();
    while (!isOutdatedBy(kept, event)) event = await next();
  });

  it('outdates the responses to a caller whose registration changes, and ends its stream', async () => {
    const service = await aTimedService();
    const instance = await aCachedInstance(service);
    await service.register('rs2');
    const { next } = await changesFrom(instance.app);
    await next('reset');
    const { response } = await changesFrom(instance.app, { authorization: basic('rs2') });
    const kept = await keptResponse(instance, await service.identifier());
    await service.database.clients.delete('rs2' as ClientId, nowSeconds(systemClock));
    await once(response.resume(), 'end');
    expect((await next('invalidate')).data.tags).not.toEqual(expect.arrayContaining(kept.tags));
    await service.database.clients.delete('rs1' as ClientId, nowSeconds(systemClock));
    await expect(next('never')).rejects.toThrow('the stream has ended');
  });

  it('continues at another instance with what the reader may lack', async () => {
    const service = await aTimedService();
    const sql = await foreignSql(service.databaseUrl);
    await service.register('rs2');
    // A transaction of any database of the server keeps positions back, and instances begin with what is above them.
    await sql('BEGIN');
    await sql('SELECT pg_current_xact_id()');
    await service.register('rs3');
    const [one, other] = [await aCachedInstance(service), await aCachedInstance(service)];
    const token = await service.identifier();
    const kept = await keptResponse(one, token);
    const before = await changesFrom(other.app);
    const { data: begin } = await before.next('reset');
    const first = await changesFrom(one.app);
    let { id = '' } = await first.next('reset');
    expect(numberOf(id)).toBeLessThanOrEqual(BigInt(begin.at ?? ''));
    await sql('COMMIT');
    while (numberOf(id) <= BigInt(begin.at ?? '')) ({ id = '' } = await first.next('heartbeat'));
    first.response.destroy();
    // Another change is sent before.
    const watching = await changesFrom(other.app);
    await watching.next('reset');
    await service.database.clients.delete('rs2' as ClientId, nowSeconds(systemClock));
    await watching.next('invalidate');
    await service.database.revocations.revokeClient('client' as ClientId, nowSeconds(systemClock));
    let event = await before.next('invalidate');
    while (!isOutdatedBy(kept, event)) event = await before.next('invalidate');
    const { next } = await changesFrom(other.app, { 'last-event-id': id });
    await next('open');
    // Changes at the position itself are sent again, since they may have gone to other readers only.
    let sent = await next();
    while (sent.event === 'invalidate' && !isOutdatedBy(kept, sent)) sent = await next();
    expect(isOutdatedBy(kept, sent)).toBe(true);
    while (sent.event === 'invalidate') sent = await next();
    expect(sent.event).toBe('heartbeat');
  });

  it('begins with a reset after a position that it does not know', async () => {
    const { app } = await aCachedInstance(await aTimedService());
    for (const id of ['x', '0123456789abcdef.1', `${'a'.repeat(16)}.99999999999999999999`, '.', '0']) {
      const { next } = await changesFrom(app, { 'last-event-id': id });
      expect((await next('reset')).data.reason).toBe('unknown_position');
    }
  });

  it('names neither tokens nor clients', async () => {
    const service = await aTimedService();
    const instance = await aCachedInstance(service);
    const token = await service.identifier();
    const { response } = await changesFrom(instance.app);
    let text = '';
    response.on('data', (chunk) => {
      text += chunk;
    });
    await service.database.revocations.revokeClient('client' as ClientId, nowSeconds(systemClock));
    await vi.waitUntil(() => text.includes('invalidate'), { timeout: 60_000 });
    const digests = service.deps.digester.availableDigests('access-token', token);
    for (const secret of [
      token,
      'client',
      ...digests.map((digest) => Buffer.from(digest).toString('base64url')),
    ])
      expect(text.replaceAll('invalidate', '')).not.toContain(secret.slice(0, 22));
  });
});
