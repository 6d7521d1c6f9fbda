import { type Connection, openConnection } from './connection.js';
import { type LoadResult, loadCounter, type RequestSource } from './load-result.js';

/** Load that waits for each response before it sends the next request on the connection. */
export interface ClosedLoad {
  readonly port: number;
  readonly source: RequestSource;
  readonly connections: number;
  /** When to stop sending: after a time, or after a number of requests. */
  readonly until: { readonly seconds: number } | { readonly requests: number };
}

/** Sends closed-loop load from this process. @throws when a connection breaks or the source rejects a response */
export async function closedLoad({ port, source, connections, until }: ClosedLoad): Promise<LoadResult> {
  const counter = loadCounter();
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const start = performance.now();
  let sent = 0;
  const goesOn = () =>
    'seconds' in until ? performance.now() - start < until.seconds * 1000 : sent < until.requests;
  const work = async (connection: Connection) => {
    while (goesOn()) {
      sent += 1;
      const sentAt = performance.now();
      const response = await connection.send(source.next());
      counter.count(response, performance.now() - sentAt);
      source.onResponse?.(response);
    }
  };
  try {
    await Promise.all(opened.map(work));
    return counter.result((performance.now() - start) / 1000);
  } finally {
    for (const connection of opened) connection.close();
  }
}
