import { connect } from 'node:net';

/** Every command that a Redis received. */
export interface RedisWitness {
  /** Every command with its keys and values, as printed by the server. */
  readonly heard: () => string;
  stop(): void;
}

/** Starts recording every command of a Redis. */
export async function witnessRedis(url: string): Promise<RedisWitness> {
  const { hostname, port, password } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname });
  const chunks: string[] = [];
  const listening = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      chunks.push(chunk);
      if (chunks.join('').includes('+OK\r\n+OK\r\n')) resolve();
    });
  });
  socket.write(`AUTH ${password}\r\nMONITOR\r\n`);
  await listening;
  return { heard: () => chunks.join(''), stop: () => void socket.destroy() };
}
