import { setTimeout as pause } from 'node:timers/promises';
import { closing } from '@vestibule/local-services';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { logIn } from '@vestibule/testkit/logins';
import { type LogoutReceiver, logoutReceiver } from '../load/logout-receiver.js';
import { notifiedClient } from '../load/notified-client.js';
import { type ServiceUnderFault, startService } from '../processes/service.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { until } from '../until.js';
import type { Trial, TrialResult } from './trial.js';

/** How many sessions end, and how often the process that notifies their clients is killed. */
export interface LogoutKills {
  readonly kills: number;
  readonly sessionsPerKill: number;
}

/** The moment of the kill. */
type Moment = 'claim' | 'before sending' | 'after sending';

const MOMENTS: readonly Moment[] = ['claim', 'before sending', 'after sending'];

/** The shortest permitted lease, to keep the trial short. */
const LEASE_SECONDS = 12;
const PATIENCE_MS = 90_000;
/** A process killed within this time may have sent a token without receiving the response. */
const RESPONSE_MS = 15;
/** The longest time from the end of a session to the claim. */
const CLAIM_MS = 12;

/** Processes that deliver logout tokens are killed during delivery, repeatedly. */
export const LOGOUT_KILLS: Trial = {
  id: 'logout-killed',
  title:
    'the process that delivers logout tokens is killed (SIGKILL) while it claims, sends and stores results',
  run: (testEnvironment, { maxSeconds }) =>
    killDeliveries(
      testEnvironment,
      Number.isFinite(maxSeconds) ? { kills: 6, sessionsPerKill: 4 } : { kills: 50, sessionsPerKill: 4 },
    ),
};

/**
 * Ends sessions and kills the process that notifies their clients. At the end every client has been notified: once, and
 * once more for each kill that happened while the process held the notification, each time with another `jti`.
 */
export async function killDeliveries(
  testEnvironment: TestEnvironment,
  { kills, sessionsPerKill }: LogoutKills,
): Promise<TrialResult> {
  return closing(async (toEnd) => {
    const receiver = await logoutReceiver(RESPONSE_MS);
    toEnd.add(receiver.close);
    const outbox = await openOutbox(testEnvironment, receiver);
    const service = await startWorker(testEnvironment, receiver);
    toEnd.add(service.stop);
    const held = new Map<string, number>();
    for (let kill = 0; kill < kills; kill += 1) {
      const sids = await outbox.login(sessionsPerKill);
      const moment = MOMENTS[kill % MOMENTS.length] ?? 'claim';
      const killed = killAt(moment, service, { receiver, isClaimed: outbox.isAnyHeld });
      await Promise.all(sids.map(outbox.logout));
      await killed;
      for (const sid of await outbox.held()) held.set(sid, (held.get(sid) ?? 0) + 1);
      await service.restart();
    }
    await until(async () => (await outbox.waiting()) === 0, PATIENCE_MS);
    return evaluate(receiver, await outbox.all(), held);
  });
}

interface Environment {
  readonly receiver: LogoutReceiver;
  readonly isClaimed: () => Promise<boolean>;
}

/** Kills the process at a moment, and resolves when it has exited. */
async function killAt(
  moment: Moment,
  service: ServiceUnderFault,
  { receiver, isClaimed }: Environment,
): Promise<void> {
  const kill = () => service.process().end('SIGKILL');
  if (moment === 'claim') await pause(Math.random() * CLAIM_MS);
  else if (moment === 'before sending') await until(isClaimed, PATIENCE_MS);
  else await new Promise<void>((resolve) => receiver.onNext(resolve));
  await kill();
}

function startWorker(
  { postgres, installation }: TestEnvironment,
  { port }: LogoutReceiver,
): Promise<ServiceUnderFault> {
  return startService({
    name: 'logout',
    environment: {
      ...installation.environment,
      DATABASE_URL: postgres.url(installation.database),
      EGRESS_ALLOW_HOSTS: `127.0.0.1:${port}`,
      LOGOUT_DELIVERY_LEASE_SECONDS: String(LEASE_SECONDS),
      LOGOUT_DELIVERY_POLL_MS: '200',
    },
  });
}

/** A client that is notified at the receiver, its sessions, and the state of their notifications. */
async function openOutbox({ installation }: TestEnvironment, { port }: LogoutReceiver) {
  const { pool, store } = installation;
  const clientId = await notifiedClient(installation, port);
  const { sessions } = store.database.providerRecords;
  const login = async () => {
    const { id } = await logIn(store, (session) => [{ clientId, sid: `sid-${session}` }]);
    return id;
  };
  const sids = async (condition: string) => {
    const text = `SELECT sid FROM logout_delivery WHERE client_id = $1 AND ${condition}`;
    return (await pool.query<{ sid: string }>(text, [clientId])).rows.map(({ sid }) => sid);
  };
  const held = () => sids(`state = 'pending' AND leased_until > now()`);
  return {
    login: (count: number) => Promise.all(Array.from({ length: count }, login)),
    logout: (id: string) => sessions.end(id, nowSeconds(systemClock)),
    /** Notifications that a process holds, or held when it was killed. */
    held,
    isAnyHeld: async () => (await held()).length > 0,
    waiting: async () => (await sids(`state <> 'delivered'`)).length,
    all: () => sids('true'),
  };
}

function evaluate(
  { received }: LogoutReceiver,
  sids: readonly string[],
  held: ReadonlyMap<string, number>,
): TrialResult {
  const times = (sid: string) => received.filter((token) => token.sid === sid).length;
  const lost = sids.filter((sid) => times(sid) === 0).length;
  const duplicates = sids.reduce((sum, sid) => sum + Math.max(0, times(sid) - 1), 0);
  const unexplained = sids.filter((sid) => times(sid) - 1 > (held.get(sid) ?? 0)).length;
  const repeatedJtis = received.length - new Set(received.map(({ jti }) => jti)).size;
  return {
    requests: received.length,
    failures: 0,
    slowestMs: 0,
    violations: { stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost },
    remarks: [
      `${sids.length} notifications, ${held.size} in progress at a kill, ${duplicates} notified again`,
    ],
    evidence: [],
    problems: [
      ...(lost > 0 ? ['a client was never notified'] : []),
      ...(unexplained > 0 ? ['a client was notified again without a kill'] : []),
      ...(repeatedJtis > 0 ? ['a jti was repeated'] : []),
    ],
  };
}
