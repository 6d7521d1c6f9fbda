import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.js';
import { type CountedResult, loadCounter, type RequestSource } from './load-result.js';

/** Load at a fixed rate, independent of the server. */
export interface PacedLoad {
  readonly port: number;
  readonly source: RequestSource;
  /** Requests that are due while all connections are busy wait for one. */
  readonly connections: number;
  readonly requestsPerSecond: number;
  /** The duration. */
  readonly seconds: number;
  /** Stops it early. */
  readonly signal?: AbortSignal;
}

const TICK_MS = 1;

/**
 * Sends open-loop load from this process. The latency of a request counts from the instant at which it was due, so that
 * a stalled server is charged for everything that had to wait; it includes a timer tick of this process.
 * @throws when a connection breaks or the source rejects a response
 */
export async function pacedLoad(load: PacedLoad): Promise<CountedResult> {
  const { port, source, connections, requestsPerSecond, seconds, signal } = load;
  const counter = loadCounter();
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const idle = [...opened];
  const waiting: number[] = [];
  const busy = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const serve = async (connection: Connection) => {
    for (let dueAt = waiting.shift(); dueAt !== undefined; dueAt = waiting.shift()) {
      const response = await connection.send(source.next());
      counter.count(response, performance.now() - dueAt);
      source.onResponse?.(response);
    }
    idle.push(connection);
  };
  const start = (connection: Connection) => {
    const service: Promise<unknown> = serve(connection)
      .catch((error: unknown) => failures.push(error))
      .finally(() => busy.delete(service));
    busy.add(service);
  };
  const startedAt = performance.now();
  const total = Math.floor(requestsPerSecond * seconds);
  for (let due = 0; due < total && !signal?.aborted && failures.length === 0; ) {
    await pause(TICK_MS);
    const dueNow = Math.min(total, ((performance.now() - startedAt) / 1000) * requestsPerSecond);
    for (; due < dueNow; due += 1) waiting.push(startedAt + (due / requestsPerSecond) * 1000);
    for (const connection of idle.splice(0, waiting.length)) start(connection);
  }
  await Promise.all(busy);
  for (const connection of opened) connection.close();
  if (failures.length > 0) throw failures[0];
  return counter.result((performance.now() - startedAt) / 1000);
}
