import type { Server } from '@vestibule/http';
import { vi } from 'vitest';
import type { Seen } from './calls.js';

/** One instance of the service, as far as racing needs it. */
interface Racer {
  readonly app: Server;
  readonly store: { check(): Promise<void> };
}

/**
 * The connections of each instance: one more request at a time would wait for one of them, and on a busy machine too
 * long.
 */
const CONNECTIONS = 10;

/**
 * Sends a number of requests over several instances, as many at a time as they have connections, which are open
 * before the start. The answers are in no particular order.
 */
export async function race(
  instances: readonly Racer[],
  count: number,
  request: (app: Server, index: number) => Promise<Seen>,
): Promise<Seen[]> {
  for (const { store } of instances) await openConnections(store);
  const responses: Seen[] = [];
  let next = 0;
  const run = async (app: Server) => {
    while (next < count) {
      next += 1;
      responses.push(await request(app, next));
    }
  };
  const lanes = instances.flatMap(({ app }) => Array.from({ length: CONNECTIONS }, () => run(app)));
  await Promise.all(lanes);
  return responses;
}

function openConnections(store: Racer['store']): Promise<unknown> {
  const checks = () => Promise.all(Array.from({ length: CONNECTIONS }, () => store.check()));
  return vi.waitFor(checks, { timeout: 30_000 });
}
