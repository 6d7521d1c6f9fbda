import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, runCommand } from '../load/run-command.js';

/** A name server that hears every question and answers none. */
export interface SilentNameServer {
  /** Words in front of a command line that make it the only name server of that process. */
  readonly prefix: readonly string[];
  /** How many questions there were. */
  count(): number;
  close(): Promise<void>;
}

/**
 * Starts one in this process.
 * @param folder Where its address is written for the processes that ask it.
 * @returns `undefined` where the system does not let a process have its own name server
 */
export async function startSilentNameServer(folder: string): Promise<SilentNameServer | undefined> {
  const unshare = await findProgram('unshare');
  if (unshare === undefined) return undefined;
  const socket = createSocket('udp4');
  let options = 0;
  socket.on('message', () => {
    options += 1;
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const file = join(folder, 'resolv.conf');
  await writeFile(file, `nameserver 127.0.0.1:${socket.address().port}\n`);
  const close = async () => {
    socket.close();
  };
  const mounting = `mount --bind '${file}' /etc/resolv.conf && exec "$@"`;
  for (const root of [[], ['--map-root-user']]) {
    const prefix = [unshare, ...root, '--mount', '--', '/bin/sh', '-c', mounting, 'sh'];
    const [program = '', ...args] = [...prefix, 'true'];
    if ((await runCommand(program, args)).exitCode === 0) return { prefix, count: () => options, close };
  }
  await close();
  return undefined;
}
