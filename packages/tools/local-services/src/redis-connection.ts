import { connect } from 'node:net';

const TIMEOUT_MS = 1_000;

/**
 * Sends a command to a Redis server, after the password of the URL, and gives the one-line reply as in the protocol
 * (`+PONG`, `:1`); `undefined` when the server refuses or does not respond within a second. Never rejects. Uses the
 * inline form of the protocol, so that no client library is needed to start a server.
 */
export function sendRedisCommand(url: string, command: string): Promise<string | undefined> {
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
