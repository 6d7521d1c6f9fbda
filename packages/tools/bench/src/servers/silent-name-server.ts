import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, runCommand } from '../load/run-command.js';

/** A name server that receives every query and never responds. */
export interface SilentNameServer {
  /** The command prefix that makes it the only name server of a process. */
  readonly prefix: readonly string[];
  /** The number of received queries. */
  count(): number;
  close(): Promise<void>;
}

/**
 * Starts one in this process.
 * @param folder The folder of the resolver configuration for processes that use it.
 * @returns `undefined` where a process cannot have its own name server
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
