import { expect, it, vi } from 'vitest';
import { MASTER, type RegistrationFixture, registrationFixture } from './support/registration-fixture.js';
import {
  aDeletion,
  anUpdate,
  aRegistration,
  type RegistrationOperation,
} from './support/registration-operations.js';
import type { RegistrationProcess } from './support/registration-process.js';

const CHANGES = /client-(?:create|replace|delete)/;
const PATIENCE = { timeout: 60_000, interval: 5 };

/** As many operations as the service has connections, less one: all of them reach the same point. */
async function operationsOf(
  fixture: RegistrationFixture,
  service: RegistrationProcess,
): Promise<readonly RegistrationOperation[]> {
  return [
    ...(await Promise.all(
      [false, false, true, true].map((isRepeatable) => aRegistration(fixture, isRepeatable)),
    )),
    ...(await Promise.all([1, 2, 3].map(() => anUpdate(fixture, service)))),
    ...(await Promise.all([1, 2].map(() => aDeletion(fixture, service)))),
  ];
}

/** A point to which every operation is brought before the process is killed, and what follows. */
interface FaultPoint {
  readonly name: string;
  readonly isDone: boolean;
  /** Stops the operations; resolves with a function to call after the kill. */
  stop(
    fixture: RegistrationFixture,
    operations: readonly RegistrationOperation[],
  ): Promise<() => Promise<void>>;
  /** Whether all operations have reached the point. */
  hasArrived(fixture: RegistrationFixture, operations: readonly RegistrationOperation[]): Promise<boolean>;
}

const heldBack: Pick<FaultPoint, 'hasArrived'> = {
  hasArrived: async ({ proxy }, { length }) => proxy.count() === length,
};

const WAITING = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const BUSY = `FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`;

const CONNECTED = `FROM pg_stat_activity WHERE application_name = 'vestibule registration'`;
const AS_MASTER = { authorization: `Bearer ${MASTER}` };

/** The statements block in the database, and end when another transaction releases the lock. */
function halfway(
  afterwards: (fixture: RegistrationFixture) => Promise<unknown>,
): Pick<FaultPoint, 'hasArrived' | 'stop'> {
  return {
    stop: async (fixture, operations) => {
      const { otherSql } = fixture;
      await otherSql('BEGIN');
      for (const { obstacle } of operations) await otherSql(obstacle.statement, obstacle.values);
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
    name: 'with its statements halfway, which the database rolls back',
    isDone: false,
    ...halfway(({ sql }) => sql(`SELECT pg_terminate_backend(pid, 5000) ${WAITING}`)),
  },
  {
    name: 'with its statements halfway, which the database completes',
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
 * Has the service open as many connections as there are operations: while it is blocked, opening one on a busy machine
 * may take longer than it waits. Lists, which are not coalesced, all wait at the database until then.
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
 * Brings every operation to a point, kills the process there, and expects that all or none of them are done. On a busy
 * machine the service may give up one before the last has arrived: then other operations are brought there.
 */
async function killAt(point: FaultPoint, fixture: RegistrationFixture, service: RegistrationProcess) {
  const { name, isDone, stop, hasArrived } = point;
  const operations = await operationsOf(fixture, service);
  await connect(fixture, service, operations.length);
  const afterwards = await stop(fixture, operations);
  let hasResponse = false;
  const responses = Promise.all(
    operations.map(async (operation) => {
      const status = await operation.send(service);
      hasResponse ||= status !== undefined;
      return status;
    }),
  );
  await vi.waitUntil(async () => hasResponse || (await hasArrived(fixture, operations)), PATIENCE);
  await service.kill();
  const statuses = (await responses).filter((status) => status !== undefined);
  await afterwards();
  const next = await fixture.start();
  expect(statuses.filter(isAcknowledgement), name).toEqual([]);
  if (statuses.length > 0) return killAt(point, fixture, next);
  for (const operation of operations) expect(await operation.settle(next), name).toBe(isDone);
  return next;
}

function isAcknowledgement(status: number | undefined): boolean {
  return status !== undefined && status < 500;
}

/** Kills the process after some responses, and expects that it has done what it acknowledged. */
async function killAfter(responses: number, fixture: RegistrationFixture, service: RegistrationProcess) {
  const operations = [...(await operationsOf(fixture, service)), ...(await operationsOf(fixture, service))];
  let acknowledged = 0;
  const statuses = await Promise.all(
    operations.map(async (operation) => {
      const status = await operation.send(service);
      acknowledged += isAcknowledgement(status) ? 1 : 0;
      if (acknowledged === responses) await service.kill();
      return status;
    }),
  );
  expect(acknowledged).toBeGreaterThanOrEqual(responses);
  const next = await fixture.start();
  for (const [index, operation] of operations.entries()) {
    const isDone = await operation.settle(next);
    if (isAcknowledgement(statuses[index]))
      expect([isDone, statuses[index]]).toEqual([true, operation.success]);
  }
}

// Otherwise there could be a token consumed without a client, a client that cannot be managed, or tokens of a deleted
// client.
it('leaves every registration, update and deletion done completely or not at all when it is killed, and keeps what it acknowledged', async () => {
  const fixture = await registrationFixture();
  let service = await fixture.start();
  for (const point of POINTS) service = await killAt(point, fixture, service);
  await killAfter(5, fixture, service);
});
