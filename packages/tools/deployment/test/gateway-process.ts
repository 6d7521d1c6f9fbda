import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, freePort } from '@vestibule/local-services';
import { startNginx } from '@vestibule/local-services/testing';
import { DOCKER_FOLDER } from '../src/repository.js';

const FILES = join(DOCKER_FOLDER, 'gateway');

/** How to start nginx. */
export interface GatewayOptions {
  /** `127.0.0.1:port` of the instances behind each `name:port` of upstreams.conf. */
  readonly behind: ReadonlyMap<string, readonly string[]>;
  /** The file that is mounted as provider.conf. Default: that of the compose file. */
  readonly provider?: string;
  /** Whether operator.conf is mounted, as in the compose file. */
  readonly hasOperatorRoutes: boolean;
  readonly toEnd: Closers;
}

/** A running nginx. */
export interface Gateway {
  readonly port: number;
  readonly logFile: string;
}

/** Starts nginx with the files of docker/gateway, in which only addresses are replaced. */
export async function startGateway({
  behind,
  provider = 'provider.conf',
  hasOperatorRoutes,
  toEnd,
}: GatewayOptions): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  // nginx workers run as another user.
  await chmod(folder, 0o711);
  const port = await freePort();
  const read = (name: string) => readFile(join(FILES, name), 'utf8');
  await mkdir(join(folder, 'run'));
  await mkdir(join(folder, 'routes'));
  await writeFile(
    join(folder, 'nginx.conf'),
    (await read('nginx.conf')).replace('listen 8080;', `listen 127.0.0.1:${port};`),
  );
  await writeFile(join(folder, 'upstreams.conf'), localUpstreams(await read('upstreams.conf'), behind));
  await writeFile(join(folder, 'provider.conf'), localUpstreams(await read(provider), behind));
  await copyFile(join(FILES, 'once.conf'), join(folder, 'once.conf'));
  if (hasOperatorRoutes)
    await copyFile(join(FILES, 'operator.conf'), join(folder, 'routes', 'operator.conf'));
  return { port, logFile: await startNginx({ folder, port, toEnd }) };
}

/** Replaces each name that nginx would resolve with the addresses of its instances. */
function localUpstreams(text: string, behind: GatewayOptions['behind']): string {
  const named = text.replaceAll(/^resolver.*\n/gm, '');
  return named.replaceAll(
    /^( *)server ([\w.-]+:\d+)(?: resolve)?( [^;]*)?;$/gm,
    (_line, indent: string, name: string, rest = '') =>
      (behind.get(name) ?? []).map((address) => `${indent}server ${address}${rest};`).join('\n'),
  );
}
