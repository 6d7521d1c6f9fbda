import { setTimeout as pause } from 'node:timers/promises';
import { type History, openHistory } from '../load/history.js';
import { type IsolatedToken, issueIsolatedToken, type TokenFormat } from '../load/isolated-token.js';
import { REVOCATION_PATHS } from '../load/revocation-paths.js';
import { type HeldClock, openHeldClock } from '../processes/held-clock.js';
import type { Cluster } from '../test-environment/cluster.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Trial, TrialResult } from './trial.js';

const PAUSE_MS = 12_000;
const FORMATS: readonly TokenFormat[] = ['identifier', 'jwt'];
const TOKENS_OF_A_KIND = 5;
const LIFETIME_SECONDS = 600;
/** Shorter than the pause. */
const SHORT_LIFETIME_SECONDS = 8;
/** Requests arrive after every acknowledgement and wait for the instance. */
const QUEUED_BEFORE_END_MS = 3_000;
const STALE_MS = 1_000;

/** A machine that is suspended while tokens in its cache are revoked and expire. */
export const PAUSED_MACHINE: Trial = {
  id: 'paused-machine',
  title: 'the machine of an instance is suspended for 12 seconds: its monotonic clock stops, requests queue',
  run: async (testEnvironment) => {
    let clock: HeldClock | undefined;
    return inCluster(testEnvironment, {
      prepare: async ({ log }, toEnd) => {
        clock = await openHeldClock(log, toEnd);
        return { secondEnvironment: clock.environment };
      },
      run: (cluster) => {
        if (clock === undefined) throw new TypeError('the trial was not prepared');
        return watchPause(cluster, clock);
      },
    });
  },
};

interface Tokens {
  readonly live: readonly IsolatedToken[];
  readonly revoked: readonly IsolatedToken[];
  readonly expiring: readonly IsolatedToken[];
}

/** Suspends the second instance once, and evaluates the first responses afterwards. */
export async function watchPause(cluster: Cluster, clock: HeldClock): Promise<TrialResult> {
  const history = openHistory();
  const { instances, installation } = cluster;
  const [, instance] = instances;
  const tokens: Tokens = {
    live: await issue(cluster, history, LIFETIME_SECONDS),
    revoked: await issue(cluster, history, LIFETIME_SECONDS),
    expiring: await issue(cluster, history, SHORT_LIFETIME_SECONDS),
  };
  const all = [...tokens.live, ...tokens.revoked, ...tokens.expiring];
  const introspectAll = () => Promise.all(all.map((token) => history.introspect(instance, token)));
  // The second pass reads from the cache.
  for (let round = 0; round < 2; round += 1) await introspectAll();
  let queued: ReturnType<typeof introspectAll> | undefined;
  await clock.suspend(instance.service.process(), PAUSE_MS, async (endsAtMs) => {
    for (const token of tokens.revoked)
      await history.revoke(token, async () => REVOCATION_PATHS[0]?.revoke(installation, token));
    await pause(endsAtMs - QUEUED_BEFORE_END_MS - performance.now());
    queued = introspectAll();
  });
  const answered = await queued;
  for (let round = 0; round < 10; round += 1) {
    await introspectAll();
    await pause(50);
  }
  const isActive = (token: IsolatedToken) => answered?.[all.indexOf(token)] === 'active';
  const dead = [...tokens.revoked, ...tokens.expiring];
  const wrong = [
    [dead.filter(isActive), 'revoked or expired tokens were active'],
    [tokens.live.filter((token) => !isActive(token)), 'live tokens were not active'],
  ] as const;
  return plainResult(history, {
    staleMs: STALE_MS,
    remarks: [`${all.length} queued requests, ${dead.length} about tokens that ended meanwhile`],
    problems: wrong.flatMap(([found, what]) => (found.length > 0 ? [`${found.length} ${what}`] : [])),
  });
}

async function issue(
  { installation }: Cluster,
  history: History,
  lifetimeSeconds: number,
): Promise<readonly IsolatedToken[]> {
  const issued: IsolatedToken[] = [];
  for (const format of FORMATS) {
    for (let index = 0; index < TOKENS_OF_A_KIND; index += 1) {
      const token = await issueIsolatedToken(installation, format, lifetimeSeconds);
      history.issued(token);
      issued.push(token);
    }
  }
  return issued;
}
