import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What happens to a connection. */
export type ConnectionFate = 'pass' | 'freeze' | { readonly response: string };

/** A TCP proxy on a fixed port whose connections can fail. */
export interface FaultGateway {
  /** Cuts every connection, and decides on the next ones; the last fate is that of all further ones. */
  next(...fates: readonly ConnectionFate[]): void;
  /** Cuts every connection and refuses further ones, like a stopped process. */
  stop(): Promise<void>;
  /** Listens again, and passes everything. */
  restart(): Promise<void>;
  /** Connections accepted so far. */
  accepted(): number;
}

/** Starts a proxy from one loopback port to another. */
export async function openFaultGateway(port: number, target: number): Promise<FaultGateway> {
  const sockets = new Set<Socket>();
  let fates: readonly ConnectionFate[] = ['pass'];
  let accepted = 0;
  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const accept = (client: Socket) => {
    accepted += 1;
    hold(client);
    const [fate = 'pass'] = fates;
    if (fates.length > 1) fates = fates.slice(1);
    if (fate === 'pass') {
      const upstream = connect(target, '127.0.0.1');
      hold(upstream);
      client.pipe(upstream).pipe(client);
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
    } else if (fate === 'freeze') client.resume();
    else respond(client, fate.response);
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listen = async (): Promise<Server> => {
    const server = createServer({ noDelay: true }, accept).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen();
  return {
    next: (...wanted) => {
      fates = wanted;
      cut();
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
    restart: async () => {
      fates = ['pass'];
      server = await listen();
    },
    accepted: () => accepted,
  };
}

/** Gives every request on a connection the same response. */
function respond(client: Socket, response: string): void {
  let received = '';
  client.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
    const [head = '', body] = received.split('\r\n\r\n');
    const [, length = '0'] = /^content-length: (\d+)/im.exec(head) ?? [];
    if (body === undefined || body.length < Number(length)) return;
    received = '';
    client.write(response);
  });
}
