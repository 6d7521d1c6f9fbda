import type { Server } from '@vestibule/http';
import { vi } from 'vitest';
import type { Seen } from './calls.js';

/** The part of an instance of the service that races need. */
interface Racer {
  readonly app: Server;
  readonly store: { check(): Promise<void> };
}

/**
 * The connections of each instance: an additional parallel request would wait for one of them, on a busy machine for
 * too long.
 */
const CONNECTIONS = 10;

/**
 * Sends requests over several instances, in parallel up to the number of their connections, which are open before the
 * start. The responses are in no particular order.
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
