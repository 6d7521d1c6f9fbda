import { expect, it, vi } from 'vitest';
import { type Affair, aDeletion, anUpdate, aRegistration } from './support/registration-affairs.js';
import { MASTER, type RegistrationFixture, registrationFixture } from './support/registration-fixture.js';
import type { RegistrationProcess } from './support/registration-process.js';

const CHANGES = /client-(?:create|replace|delete)/;
const PATIENCE = { timeout: 60_000, interval: 5 };

/** As many affairs as the service has connections, less one: all of them get to the same point. */
async function affairsOf(
  fixture: RegistrationFixture,
  service: RegistrationProcess,
): Promise<readonly Affair[]> {
  return [
    ...(await Promise.all(
      [false, false, true, true].map((isRepeatable) => aRegistration(fixture, isRepeatable)),
    )),
    ...(await Promise.all([1, 2, 3].map(() => anUpdate(fixture, service)))),
    ...(await Promise.all([1, 2].map(() => aDeletion(fixture, service)))),
  ];
}

/** A point to which every affair is brought before the process is killed, and what follows. */
interface FaultPoint {
  readonly name: string;
  readonly isDone: boolean;
  /** What stops them; resolves with what is done after the kill. */
  stop(fixture: RegistrationFixture, affairs: readonly Affair[]): Promise<() => Promise<void>>;
  /** Whether all of them are there. */
  hasArrived(fixture: RegistrationFixture, affairs: readonly Affair[]): Promise<boolean>;
}

const heldBack: Pick<FaultPoint, 'hasArrived'> = {
  hasArrived: async ({ proxy }, { length }) => proxy.count() === length,
};

const WAITING = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const BUSY = `FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`;

const CONNECTED = `FROM pg_stat_activity WHERE application_name = 'vestibule registration'`;
const AS_MASTER = { authorization: `Bearer ${MASTER}` };

/** The statements stand still in the database, and end when someone else lets go of what they wait for. */
function halfway(
  afterwards: (fixture: RegistrationFixture) => Promise<unknown>,
): Pick<FaultPoint, 'hasArrived' | 'stop'> {
  return {
    stop: async (fixture, affairs) => {
      const { otherSql } = fixture;
      await otherSql('BEGIN');
      for (const { obstacle } of affairs) await otherSql(obstacle.statement, obstacle.values);
      return async () => {
        await afterwards(fixture);
        await otherSql('ROLLBACK');
        await vi.waitFor(async () => expect(await fixture.sql(`SELECT ${BUSY}`)).toEqual([]), PATIENCE);
      };
    },
    hasArrived: async ({ sql }, { length }) => (await sql(`SELECT ${WAITING}`)).length === length,
  };
}

const POINTS: readonly FaultPoint[] = [
  {
    name: 'before its statements reach the database',
    isDone: false,
    stop: async ({ proxy }) => {
      proxy.hold('statement', CHANGES);
      return async () => proxy.pass();
    },
    ...heldBack,
  },
  {
    name: 'with its statements halfway, which the database undoes',
    isDone: false,
    ...halfway(({ sql }) => sql(`SELECT pg_terminate_backend(pid, 5000) ${WAITING}`)),
  },
  {
    name: 'with its statements halfway, which the database ends all the same',
    isDone: true,
    ...halfway(async () => undefined),
  },
  {
    name: 'before the responses of the database reach it',
    isDone: true,
    stop: async ({ proxy }) => {
      proxy.hold('response', CHANGES);
      return async () => proxy.pass();
    },
    ...heldBack,
  },
];

/**
 * Has the service open as many connections as there are affairs: while it is held up, making one may take longer, on a
 * busy machine, than it waits. Lists, whose reads are not joined, all wait at the database until that is so.
 */
async function connect({ sql, otherSql }: RegistrationFixture, service: RegistrationProcess, count: number) {
  await otherSql('BEGIN');
  await otherSql('LOCK TABLE client');
  const requests = Array.from({ length: count }, () =>
    fetch(`${service.baseUrl}/clients?limit=1`, { headers: AS_MASTER }),
  );
  await vi.waitUntil(async () => (await sql(`SELECT ${CONNECTED}`)).length >= count, PATIENCE);
  await otherSql('ROLLBACK');
  await Promise.all(requests);
}

/**
 * Brings every affair to a point, kills the process there, and expects that all or none of them are done. On a busy
 * machine the service may give one up before the last has arrived: then other affairs are brought there.
 */
async function killAt(point: FaultPoint, fixture: RegistrationFixture, service: RegistrationProcess) {
  const { name, isDone, stop, hasArrived } = point;
  const affairs = await affairsOf(fixture, service);
  await connect(fixture, service, affairs.length);
  const afterwards = await stop(fixture, affairs);
  let hasAnswered = false;
  const responses = Promise.all(
    affairs.map(async (affair) => {
      const status = await affair.send(service);
      hasAnswered ||= status !== undefined;
      return status;
    }),
  );
  await vi.waitUntil(async () => hasAnswered || (await hasArrived(fixture, affairs)), PATIENCE);
  await service.kill();
  const statuses = (await responses).filter((status) => status !== undefined);
  await afterwards();
  const next = await fixture.start();
  expect(statuses.filter(isAcknowledgement), name).toEqual([]);
  if (statuses.length > 0) return killAt(point, fixture, next);
  for (const affair of affairs) expect(await affair.settle(next), name).toBe(isDone);
  return next;
}

function isAcknowledgement(status: number | undefined): boolean {
  return status !== undefined && status < 500;
}

/** Kills the process when it has given some answers, and expects that it has done what it acknowledged. */
async function killAfter(responses: number, fixture: RegistrationFixture, service: RegistrationProcess) {
  const affairs = [...(await affairsOf(fixture, service)), ...(await affairsOf(fixture, service))];
  let answered = 0;
  const statuses = await Promise.all(
    affairs.map(async (affair) => {
      const status = await affair.send(service);
      answered += isAcknowledgement(status) ? 1 : 0;
      if (answered === responses) await service.kill();
      return status;
    }),
  );
  expect(answered).toBeGreaterThanOrEqual(responses);
  const next = await fixture.start();
  for (const [index, affair] of affairs.entries()) {
    const isDone = await affair.settle(next);
    if (isAcknowledgement(statuses[index])) expect([isDone, statuses[index]]).toEqual([true, affair.success]);
  }
}

// A token that is consumed without a client, a client that nobody can manage any more, tokens of a client that is gone.
it('leaves every registration, update and deletion done wholly or not at all when it is killed, and keeps what it acknowledged', async () => {
  const fixture = await registrationFixture();
  let service = await fixture.start();
  for (const point of POINTS) service = await killAt(point, fixture, service);
  await killAfter(5, fixture, service);
});
