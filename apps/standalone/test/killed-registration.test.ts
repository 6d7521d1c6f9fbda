import { expect, it, vi } from 'vitest';
import { type Affair, aDeletion, anUpdate, aRegistration } from './support/registration-affairs.js';
import type { RegistrationProcess } from './support/registration-process.js';
import { type RegistrationScene, registrationScene } from './support/registration-scene.js';

const CHANGES = /client-(?:create|replace|delete)/;
const PATIENCE = { timeout: 20_000, interval: 5 };

/** As many affairs as the service has connections, less one: all of them get to the same point. */
async function affairsOf(scene: RegistrationScene, service: RegistrationProcess): Promise<readonly Affair[]> {
  return [
    ...(await Promise.all(
      [false, false, true, true].map((isRepeatable) => aRegistration(scene, isRepeatable)),
    )),
    ...(await Promise.all([1, 2, 3].map(() => anUpdate(scene, service)))),
    ...(await Promise.all([1, 2].map(() => aDeletion(scene, service)))),
  ];
}

/** A point to which every affair is brought before the process is killed, and what follows. */
interface FaultPoint {
  readonly name: string;
  readonly isDone: boolean;
  /** What stops them; resolves with what is done after the kill. */
  stop(scene: RegistrationScene, affairs: readonly Affair[]): Promise<() => Promise<void>>;
  /** Resolves when all of them are there. */
  arrived(scene: RegistrationScene, affairs: readonly Affair[]): Promise<void>;
}

const heldBack: Pick<FaultPoint, 'arrived'> = {
  arrived: ({ proxy }, { length }) => vi.waitFor(() => expect(proxy.count()).toBe(length), PATIENCE),
};

const WAITING = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const BUSY = `FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`;

/** The statements stand still in the database, and end when somebody else lets go of what they wait for. */
function halfway(
  afterwards: (scene: RegistrationScene) => Promise<unknown>,
): Pick<FaultPoint, 'arrived' | 'stop'> {
  return {
    stop: async (scene, affairs) => {
      const { otherSql } = scene;
      await otherSql('BEGIN');
      for (const { obstacle } of affairs) await otherSql(obstacle.statement, obstacle.values);
      return async () => {
        await afterwards(scene);
        await otherSql('ROLLBACK');
        await vi.waitFor(async () => expect(await scene.sql(`SELECT ${BUSY}`)).toEqual([]), PATIENCE);
      };
    },
    arrived: ({ sql }, { length }) =>
      vi.waitFor(async () => expect(await sql(`SELECT ${WAITING}`)).toHaveLength(length), PATIENCE),
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
    name: 'before the answers of the database reach it',
    isDone: true,
    stop: async ({ proxy }) => {
      proxy.hold('answer', CHANGES);
      return async () => proxy.pass();
    },
    ...heldBack,
  },
];

// A token that is spent without a client, a client that nobody can manage any more, tokens of a client that is gone.
it('leaves every registration, update and deletion done wholly or not at all when it is killed', async () => {
  const scene = await registrationScene();
  let service = await scene.start();
  for (const { name, isDone, stop, arrived } of POINTS) {
    const affairs = await affairsOf(scene, service);
    const afterwards = await stop(scene, affairs);
    const answers = Promise.all(affairs.map((affair) => affair.send(service)));
    await arrived(scene, affairs);
    await service.kill();
    expect(await answers, name).toEqual(affairs.map(() => undefined));
    await afterwards();
    service = await scene.start();
    for (const affair of affairs) expect(await affair.settle(service), name).toBe(isDone);
  }
});

it('has done what it acknowledged, and all or nothing of the rest, when it is killed amid answers', async () => {
  const scene = await registrationScene();
  let service = await scene.start();
  for (const after of [2, 9]) {
    const affairs = [...(await affairsOf(scene, service)), ...(await affairsOf(scene, service))];
    let answered = 0;
    const { kill } = service;
    const statuses = await Promise.all(
      affairs.map(async (affair) => {
        const status = await affair.send(service);
        answered += status === undefined ? 0 : 1;
        if (answered === after) await kill();
        return status;
      }),
    );
    service = await scene.start();
    for (const [index, affair] of affairs.entries()) {
      const isDone = await affair.settle(service);
      const status = statuses[index];
      if (status !== undefined) expect([isDone, status]).toEqual([true, status === 204 ? 204 : 200]);
    }
  }
});
