import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The part of a statement that is held back: the statement itself, or the response of the database. */
export type Held = 'statement' | 'response';

/** A proxy before Postgres that holds back certain statements. */
export interface HoldingProxy {
  readonly url: string;
  /** Holds back that part of the statements whose name or text matches the pattern, from now on. */
  hold(held: Held, statements: RegExp): void;
  /** Lets everything pass from now on; what was held back never arrives. */
  pass(): void;
  /** Number of statements held back: with `response`, those that the database has finished. */
  count(): number;
}

/** The message with which the database ends a statement outside of a transaction. */
const READY_FOR_QUERY = Buffer.from('5a0000000549', 'hex');

/** Starts a proxy through which everything passes at first. */
export async function holdingProxy(target: string): Promise<HoldingProxy> {
  const { hostname, port } = new URL(target);
  let holding: { readonly held: Held; readonly statements: RegExp } | undefined;
  let count = 0;
  const accept = (client: Socket) => {
    const server = connect({ port: Number(port), host: hostname, noDelay: true });
    let keptBack: Held | undefined;
    client.on('data', (bytes) => {
      if (holding?.statements.test(bytes.toString('latin1'))) keptBack = holding.held;
      if (keptBack === 'statement') count += 1;
      else server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (keptBack === undefined) client.write(bytes);
      else if (bytes.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY)) count += 1;
    });
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        server.destroy();
      });
    }
  };
  const listener = createServer({ noDelay: true }, accept).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const { port: ownPort } = listener.address() as AddressInfo;
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(ownPort) }).href,
    hold: (held, statements) => {
      holding = { held, statements };
      count = 0;
    },
    pass: () => {
      holding = undefined;
    },
    count: () => count,
  };
}
