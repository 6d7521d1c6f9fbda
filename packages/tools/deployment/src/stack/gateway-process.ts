import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPortFree } from '@vestibule/local-services';
import { DeploymentError } from '../deployment-error.js';
import { localListen, localUpstreams } from '../gateway/local-upstreams.js';
import { nginxProgram } from '../gateway/nginx-program.js';
import { DOCKER_FOLDER } from '../repository.js';
import type { Installation } from './installation.js';
import { isGood } from './instance.js';
import { startLocalProcess } from './local-process.js';

const FILES = join(DOCKER_FOLDER, 'gateway');

/** What the gateway needs of a stack. */
export type GatewayOptions = Pick<Installation, 'folder' | 'logFolder' | 'toEnd' | 'say'> & {
  readonly places: Pick<Installation['places'], 'gatewayPort' | 'behind'>;
  /** Whether it routes what operators alone ask for, as the compose file does; yes unless told otherwise. */
  readonly hasOperatorRoutes?: boolean;
};

/** Starts nginx with the files of the compose gateway, of which only the addresses are those of this machine. */
export async function startGateway(gateway: GatewayOptions): Promise<void> {
  const { folder, logFolder, places, toEnd, say, hasOperatorRoutes = true } = gateway;
  // Whoever else is there would answer in place of the gateway.
  if (!(await isPortFree(places.gatewayPort)))
    throw new DeploymentError(`Port ${places.gatewayPort} of this machine is in use.`);
  const program = await nginxProgram(say);
  const own = join(folder, 'gateway');
  await mkdir(join(own, 'run'), { recursive: true });
  const [main, upstreams] = await Promise.all(
    ['nginx.conf', 'upstreams.conf'].map((name) => readFile(join(FILES, name), 'utf8')),
  );
  await writeFile(join(own, 'nginx.conf'), localListen(main ?? '', places.gatewayPort));
  await copyFile(join(FILES, 'once.conf'), join(own, 'once.conf'));
  if (hasOperatorRoutes) {
    await mkdir(join(own, 'routes'));
    await copyFile(join(FILES, 'operator.conf'), join(own, 'routes', 'operator.conf'));
  }
  await writeFile(join(own, 'upstreams.conf'), localUpstreams(upstreams ?? '', places.behind));
  // Started by root it would take another user for its work, who cannot enter the folder.
  const user = process.getuid?.() === 0 ? ' user root;' : '';
  const running = await startLocalProcess({
    name: 'gateway',
    words: [program, '-p', join(own, 'run'), '-c', join(own, 'nginx.conf'), '-g', `daemon off;${user}`],
    folder: own,
    environment: {},
    logFile: join(logFolder, 'gateway'),
    stopSignal: 'SIGQUIT',
  });
  toEnd.add(running.stop);
  await running.until(() =>
    isGood(`http://127.0.0.1:${places.gatewayPort}/.well-known/openid-configuration`),
  );
}
