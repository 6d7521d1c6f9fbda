import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Flow, openFlow } from './flow.js';
import { PASS, type Side, type Traffic } from './traffic.js';

/** Chooses a connection by the first bytes of its client, or of its latest HTTP request, read as Latin-1. */
export type ConnectionChoice = (opening: string) => boolean;

/** A proxy on a loopback port that injects network faults. */
export interface ChaosProxy {
  readonly port: number;
  /** Applies a rule to open and new connections that were chosen; the others pass. */
  set(traffic: Traffic, choice?: ConnectionChoice): void;
  /** Lets everything pass again. Held data arrives; connections that lost data are reset. */
  pass(): void;
  /** Resets every open connection. */
  reset(): void;
  /** Sends new connections to another port and resets open ones, like a moved address. */
  switchTo(port: number): void;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  readonly flows: Readonly<Record<Side, Flow>>;
  opening: string;
}

const OPENING_LENGTH = 512;
const REQUEST = /^(?:GET|POST) \//;

/**
 * Starts a proxy in front of local ports; at first everything passes. With several ports, connections go to each in turn, or
 * to the next one where a port refuses them, as gateways do.
 */
export async function chaosProxy(...targets: readonly [number, ...number[]]): Promise<ChaosProxy> {
  const links = new Set<Link>();
  let traffic: Traffic = PASS;
  let targetPorts: readonly number[] = targets;
  let turn = 0;
  let choice: ConnectionChoice = () => true;
  const trafficOf = ({ opening }: Link) => (choice(opening) ? traffic : PASS);
  const reset = (link: Link) => {
    link.client.resetAndDestroy();
    link.server.resetAndDestroy();
  };
  const connectInTurn = async (): Promise<Socket | undefined> => {
    for (const _attempt of targetPorts) {
      turn += 1;
      const server = await connected(targetPorts[turn % targetPorts.length] ?? targets[0]);
      if (server !== undefined) return server;
    }
    return undefined;
  };
  const accept = async (client: Socket) => {
    client.on('error', () => undefined);
    if (traffic.kind === 'refuse' && choice('')) return void client.resetAndDestroy();
    const server = await connectInTurn();
    if (server === undefined || client.destroyed) {
      server?.destroy();
      return void client.resetAndDestroy();
    }
    const flows = { client: openFlow('client', client, server), server: openFlow('server', server, client) };
    const link: Link = { client, server, flows, opening: '' };
    links.add(link);
    client.prependListener('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1', 0, OPENING_LENGTH);
      if (REQUEST.test(text)) link.opening = text;
      else if (link.opening.length < OPENING_LENGTH) link.opening += text;
      for (const flow of Object.values(flows)) flow.set(trafficOf(link));
    });
    for (const socket of [client, server])
      socket.on('close', () => {
        links.delete(link);
        for (const flow of Object.values(flows)) flow.stop();
        client.destroy();
        server.destroy();
      });
    client.resume();
  };
  const apply = () => {
    for (const link of links) {
      const wanted = trafficOf(link);
      const isBroken = Object.values(link.flows).some((flow) => flow.hasLost() && wanted.kind === 'pass');
      if (wanted.kind === 'refuse' || isBroken) reset(link);
      else for (const flow of Object.values(link.flows)) flow.set(wanted);
    }
  };
  const listener = createServer({ noDelay: true, pauseOnConnect: true }, (client) => void accept(client));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const resetAll = () => links.forEach(reset);
  return {
    port: (listener.address() as AddressInfo).port,
    set: (wanted, chosen = () => true) => {
      [traffic, choice] = [wanted, chosen];
      apply();
    },
    pass: () => {
      [traffic, choice] = [PASS, () => true];
      apply();
    },
    reset: resetAll,
    switchTo: (port) => {
      targetPorts = [port];
      resetAll();
    },
    close: async () => {
      resetAll();
      listener.close();
    },
  };
}

/** A connection to a local port; `undefined` if it is refused. */
function connected(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => resolve(socket)).on('error', () => resolve(undefined));
  });
}
