import { connect } from 'node:net';

const TIMEOUT_MS = 1_000;

/**
 * Whether a Redis server on a loopback port takes a password and answers. Never rejects.
 * Two commands in the inline form of the protocol, so that no client library is needed for them.
 */
export function redisAnswers(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = '';
    const finish = () => {
      socket.destroy();
      resolve(answer === '+OK\r\n+PONG\r\n');
    };
    socket.setTimeout(TIMEOUT_MS, finish);
    socket.once('error', finish);
    socket.once('close', finish);
    socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (answer.startsWith('-') || answer.includes('PONG')) finish();
    });
  });
}
