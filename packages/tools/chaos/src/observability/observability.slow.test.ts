import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../test-environment/root.js';
import { openTestEnvironment } from '../test-environment/test-environment.js';
import { until } from '../until.js';
import { openFixture, type WatchedFixture } from './fixture.js';
import { SOON_MOVES } from './metric-moves.js';
import { openNotifiedSession } from './notified-sessions.js';
import { watchMove } from './watch-move.js';

const toEnd = closers();
let fixture: WatchedFixture;

beforeAll(async () => {
  const folder = join(ROOT, '.vestibule', 'observability-test');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  fixture = await openFixture(
    await openTestEnvironment(join(folder, 'postgres'), toEnd, () => undefined),
    toEnd,
  );
});

afterAll(() => toEnd.closeAll());

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';

it('traces the end of a session from the requested service to the client that another service notifies', async () => {
  const { receiver, collector, endSession } = fixture;
  const id = await openNotifiedSession(fixture, `${receiver.address}?secret=in-query`);
  await endSession(id, `00-${TRACE_ID}-${CALLER_SPAN}-01`);
  const named = (name: string) =>
    collector.spans.find((span) => span.traceId === TRACE_ID && span.name === name);
  // Each service exports its spans in batches.
  const names = [
    'DELETE /direct-authz/sessions/:sid',
    'db provider-session-end-recorded',
    'logout delivery',
    'egress POST',
  ];
  await until(async () => names.every((name) => named(name) !== undefined));
  const request = named('DELETE /direct-authz/sessions/:sid');
  const delivery = named('logout delivery');
  expect(request).toMatchObject({ service: 'vestibule-authorization', parentId: CALLER_SPAN });
  expect(named('db provider-session-end-recorded')).toMatchObject({ parentId: request?.spanId });
  expect(delivery).toMatchObject({ service: 'vestibule-logout', parentId: request?.spanId });
  expect(named('egress POST')).toMatchObject({ service: 'vestibule-logout', parentId: delivery?.spanId });
  // Traces contain no secrets, and clients get no trace identifiers of ours.
  const exported = collector.bytes().toString('latin1');
  for (const secret of [fixture.services.masterToken, id, 'in-query', ...receiver.tokens])
    expect(exported).not.toContain(secret);
  expect(receiver.headers).not.toContain('traceparent');
});

describe('metrics', () => {
  it.each(SOON_MOVES)('move within five seconds when $fault', async (move) => {
    expect(await watchMove(fixture, move)).toBeLessThan(5_000);
  });
});
