import { operatorActor } from '@vestibule/clients';
import { foreignSql } from '@vestibule/local-services/testing';
import { ThrottledError } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { exportEvents } from '../../../src/pages/audit/export-events.js';
import { formOf } from '../../support/shown-page.js';
import { anAuditConsole } from './audit-console.js';

describe('the export', () => {
  it('has the events of the filter, oldest first, one object per line', async () => {
    const { get, post, revoke, register } = await anAuditConsole();
    await register(['wiki']);
    for (let index = 0; index < 3; index += 1) await revoke(`t${index}`);
    const form = formOf(await get('/audit?actor=operator:jane', 'operator'), '/audit/export');
    expect(form?.fields).toMatchObject({ actor: 'operator:jane' });
    const response = await post('/audit/export', { actor: 'operator:jane' }, 'operator');
    expect(response).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="audit.ndjson"',
        'cache-control': 'no-store',
      },
    });
    const lines = response.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ target }) => target)).toEqual([
      'access_token:t0',
      'access_token:t1',
      'access_token:t2',
    ]);
    expect(lines[0]).toMatchObject({ actor: 'operator:jane', occurred_at: expect.stringMatching(/Z$/) });
    expect((await post('/audit/export', { actor: 'nobody' }, 'operator')).text).toBe('');
  });

  it('is not for viewers, and refuses a wrong filter', async () => {
    const { get, post, refused } = await anAuditConsole();
    expect(formOf(await get('/audit'), '/audit/export')).toBeUndefined();
    expect((await post('/audit/export', {}, 'viewer')).status).toBe(403);
    expect(refused).toMatchObject([{ path: '/audit/export', required: 'operator' }]);
    expect((await post('/audit/export', { from: 'x' }, 'operator')).status).toBe(400);
  });

  it('goes on over many pages of events', async () => {
    const { post, register } = await anAuditConsole();
    const ids = Array.from({ length: 505 }, (_, index) => `c${index}`);
    await register(ids);
    const { text } = await post('/audit/export', { action: 'client.registered' }, 'operator');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).target),
    ).toEqual(ids.map((id) => `client:${id}`));
  });

  it('is recorded with its filter before it begins', async () => {
    const { post, revoke, store } = await anAuditConsole();
    await revoke('t0');
    await post('/audit/export', { actor: 'operator:jane', from: '2026-01-01' }, 'operator');
    await post('/audit/export', { target: 'x'.repeat(5_000) }, 'operator');
    const events = [];
    for await (const { actor, action, target, details } of store.database.auditEvents())
      if (action === 'audit.exported') events.push({ actor, target, details });
    expect(events).toEqual([
      {
        actor: 'operator:a-operator',
        target: 'audit',
        details: { actor: 'operator:jane', from: '2026-01-01' },
      },
      { actor: 'operator:a-operator', target: 'audit', details: { target: 'x'.repeat(500) } },
    ]);
  });

  it('can be made twenty times an hour, also without rate limits, because each is recorded', async () => {
    const { post, clock } = await anAuditConsole();
    const form = { action: 'none' };
    for (let count = 0; count < 20; count += 1)
      expect((await post('/audit/export', form, 'operator')).status).toBe(200);
    const refused = await post('/audit/export', form, 'operator');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '180']);
    expect((await post('/audit/export', form, 'admin')).status).toBe(200);
    clock.advanceSeconds(180);
    expect((await post('/audit/export', form, 'operator')).status).toBe(200);
  });

  describe('of a slow reader', () => {
    /** Begins an export, as the route does before it sends anything. */
    async function begun() {
      const built = await anAuditConsole();
      const sql = await foreignSql(built.databaseUrl);
      const add = (count: number, ageSeconds: number) =>
        sql(
          `INSERT INTO audit_event (occurred_at, actor, action, target)
           SELECT now() - make_interval(secs => $2), 'operator:jane', 'token.revoked', 'access_token:' || n
           FROM generate_series(1, $1::integer) AS n`,
          [count, ageSeconds],
        );
      await add(1_100, 60);
      const route = exportEvents(built.deps);
      const begin = async (name = 'jane') => {
        const operator = { subject: name, name, role: 'operator', actor: operatorActor(name) };
        const outcome = await route.respond({ operator } as never, { action: 'token.revoked' });
        if (!('pieces' in outcome)) throw new TypeError('nothing is exported');
        return outcome.pieces[Symbol.asyncIterator]();
      };
      return { add, begin };
    }

    it('ends with the newest event of its beginning, and reads a page at a time', async () => {
      const { begin, add } = await begun();
      const pieces = await begin();
      const counts = [];
      for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) {
        counts.push(piece.value.trimEnd().split('\n').length);
        await add(600, 0);
      }
      expect(counts).toEqual([500, 500, 100]);
    });

    it('is the only one of the person until it is over or given up, even before it was read', async () => {
      const { begin } = await begun();
      const first = await begin();
      await expect(begin()).rejects.toThrow(ThrottledError);
      await (await begin('joe')).return?.();
      await first.return?.();
      const second = await begin();
      await second.next();
      await expect(begin()).rejects.toThrow(ThrottledError);
      for (let isOver = false; !isOver; ) isOver = (await second.next()).done === true;
      await (await begin()).return?.();
    });
  });
});
