import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What is kept back of a statement: itself, or what the database says to it. */
export type Held = 'statement' | 'response';

/** A proxy before a Postgres that keeps back what belongs to certain statements. */
export interface HoldingProxy {
  readonly url: string;
  /** Keeps back, from now on, that part of the statements whose name or text the pattern meets. */
  hold(held: Held, statements: RegExp): void;
  /** Everything passes from now on; what was kept back never arrives. */
  pass(): void;
  /** How many statements are kept back: with `answer` those that the database has ended. */
  count(): number;
}

/** With this the database says that it has ended a statement outside of a transaction. */
const READY_FOR_QUERY = Buffer.from('5a0000000549', 'hex');

/** A proxy through which everything passes at first. */
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
