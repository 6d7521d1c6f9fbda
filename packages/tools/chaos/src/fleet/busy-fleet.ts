import { setTimeout as pause } from 'node:timers/promises';
import type { Closers } from '@vestibule/local-services';
import { redisUrl } from '../processes/redis.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { TrafficFixture } from '../traffic/traffic.js';
import { type ServiceName, TRAFFICS } from '../traffic/traffics.js';
import { type Fleet, openFleet } from './fleet.js';
import { type Ledger, UnexpectedResponse } from './ledger.js';

/** How a service is kept busy. */
export interface BusyFleetOptions {
  readonly name: ServiceName;
  readonly fixture: TrafficFixture;
  readonly ledger: Ledger;
  readonly callers: number;
  /** Settings besides those of the installation. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The root of the build, default this repository. */
  readonly root?: string;
}

/** Two instances of a service under continuous requests. */
export interface BusyFleet extends Fleet {
  /** The settings of the instances. */
  readonly environment: Readonly<Record<string, string>>;
  /** The number of turns that callers have made. */
  turns(): number;
  /** Stops the callers. @returns violations other than unexpected responses */
  rest(): Promise<readonly string[]>;
}

/** Several intervals of the gateway's readiness check. */
export const DRAIN_MS = 600;
/** Between two turns of a caller; leaves CPU time for starting processes. */
const TURN_MS = 2;

/** Starts a service twice and starts the callers. */
export async function openBusyFleet(
  { postgres, redis, installation }: TestEnvironment,
  { name, fixture, ledger, callers, environment: own, root }: BusyFleetOptions,
  toEnd: Closers,
): Promise<BusyFleet> {
  const traffic = await TRAFFICS[name](fixture, toEnd);
  const environment = {
    ...installation.environment,
    DATABASE_URL: postgres.url(installation.database),
    SHUTDOWN_DRAIN_MS: String(DRAIN_MS),
    ...(name === 'introspection' && { REDIS_URL: redisUrl(redis.port) }),
    ...traffic.environment,
    ...own,
  };
  const fleet = await openFleet({ name, environment, ...(root !== undefined && { root }) }, toEnd);
  let [isOver, turns] = [false, 0];
  const caller = async () => {
    while (!isOver) {
      turns += 1;
      await traffic
        .turn((exchange, expected) => ledger.send(fleet.gateway, exchange, expected))
        .catch((error: unknown) => {
          // Already counted.
          if (!(error instanceof UnexpectedResponse)) throw error;
        });
      await pause(TURN_MS);
    }
  };
  const calling = Promise.all(Array.from({ length: callers }, caller));
  calling.catch(() => undefined);
  const end = async () => {
    isOver = true;
    await calling;
  };
  toEnd.add(end);
  return {
    ...fleet,
    environment,
    turns: () => turns,
    rest: async () => {
      await end();
      return (await traffic.afterwards?.()) ?? [];
    },
  };
}
