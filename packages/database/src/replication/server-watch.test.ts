import { expect, it, onTestFinished } from 'vitest';
import { StandbyServerError } from '../database-errors.js';
import { NO_STANDBYS, type ServerState } from './server-state.js';
import { type ServerChange, startServerWatch } from './server-watch.js';

const STATE: ServerState = { history: 'cluster/00000001', standbys: NO_STANDBYS, synchronousCommit: 'on' };
const NOT_ALLOWED = Object.assign(new Error('permission denied'), { code: '42501' });
const HOUR_MS = 3_600_000;

/** A watch on a server that returns the given states in order, each any number of times. */
function aWatch() {
  const changes: ServerChange[] = [];
  let said: Partial<ServerState> | Error = {};
  const watch = startServerWatch({
    read: async () => {
      if (said instanceof Error) throw said;
      return { ...STATE, ...said };
    },
    intervalMs: HOUR_MS,
    onChange: (change) => changes.push(change),
  });
  onTestFinished(watch.stop);
  /** Returns the changes that are reported when the server returns a state twice. */
  const reportedOf = async (next: typeof said) => {
    said = next;
    changes.length = 0;
    await watch.look();
    await watch.look();
    return [...changes];
  };
  return { ...watch, reportedOf };
}

it('reports and counts a promotion once, but not the first server', async () => {
  const { reportedOf, promotions } = aWatch();
  expect([await reportedOf({}), promotions()]).toEqual([[], 0]);
  const promoted = { history: 'cluster/00000002' };
  expect(await reportedOf(promoted)).toEqual([{ kind: 'promoted', ...promoted }]);
  expect(await reportedOf(new Error('away'))).toEqual([]);
  const restored = { history: 'another/00000002' };
  expect(await reportedOf(restored)).toEqual([{ kind: 'promoted', ...restored }]);
  expect(promotions()).toBe(2);
});

it('reports asynchronous standbys at the first check and whenever their number changes, and no other standbys', async () => {
  const { reportedOf, standbys } = aWatch();
  const having = (deviation: Partial<ServerState['standbys']>) =>
    reportedOf({ standbys: { ...NO_STANDBYS, ...deviation } });
  expect(await having({ async: 2 })).toEqual([{ kind: 'asynchronous_standbys', count: 2 }]);
  expect(await having({ async: 1, sync: 1 })).toEqual([{ kind: 'asynchronous_standbys', count: 1 }]);
  expect(await having({ sync: 1, quorum: 2, potential: 1, unknown: 1 })).toEqual([]);
  expect(standbys()).toEqual({ sync: 1, quorum: 2, potential: 1, async: 0, unknown: 1 });
  expect(await having({ async: 1 })).toEqual([{ kind: 'asynchronous_standbys', count: 1 }]);
});

it('reports commits that do not wait until they are on disk, on the primary and on a synchronous standby', async () => {
  const { reportedOf } = aWatch();
  for (const synchronousCommit of ['off', 'local', 'remote_write'])
    expect(await reportedOf({ synchronousCommit })).toEqual([
      { kind: 'commits_not_durable', synchronousCommit },
    ]);
  for (const synchronousCommit of ['on', 'remote_apply'])
    expect(await reportedOf({ synchronousCommit })).toEqual([]);
});

it('reports missing permissions once, and again after they were granted, and no unreachable server', async () => {
  const { reportedOf } = aWatch();
  expect(await reportedOf(NOT_ALLOWED)).toEqual([{ kind: 'hidden', error: NOT_ALLOWED }]);
  expect(await reportedOf({})).toEqual([]);
  expect(await reportedOf(NOT_ALLOWED)).toEqual([{ kind: 'hidden', error: NOT_ALLOWED }]);
  for (const error of [new StandbyServerError(), Object.assign(new Error(), { code: 'ECONNREFUSED' })])
    expect(await reportedOf(error)).toEqual([]);
});
