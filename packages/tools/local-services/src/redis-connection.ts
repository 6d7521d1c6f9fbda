import { connect } from 'node:net';

const TIMEOUT_MS = 1_000;

/**
 * The one-line answer of a Redis server to a command, in the protocol's spelling (`+PONG`, `:1`), after the password
 * of the address was taken; `undefined` when it refuses or nobody answers within a second. Never rejects.
 * Written in the inline form of the protocol, so that no client library is needed to start a server.
 */
export function askRedis(url: string, command: string): Promise<string | undefined> {
  const { hostname, port, password } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname });
    let received = '';
    const finish = () => {
      socket.destroy();
      const [login, response] = received.split('\r\n');
      resolve(login === '+OK' && response !== '' ? response : undefined);
    };
    socket.setTimeout(TIMEOUT_MS, finish);
    socket.once('error', finish);
    socket.once('close', finish);
    socket.once('connect', () => socket.write(`AUTH ${password}\r\n${command}\r\n`));
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (received.startsWith('-') || received.split('\r\n').length > 2) finish();
    });
  });
}
