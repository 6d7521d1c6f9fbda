import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@vestibule/local-services';
import { DeploymentError } from '../deployment-error.js';
import { docker } from '../docker.js';
import { DOCKER_FOLDER } from '../repository.js';
import type { Image } from './build-image.js';
import { type ImageStores, ROUTES_FILE } from './image-stores.js';

/** The restrictions of the compose file. */
const CONFINED = [
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
];
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/**
 * Starts an image with the restrictions of the compose file, on the host network, and waits until its own health check
 * succeeds. The CLI prints its help and exits.
 * @returns how long that took, in milliseconds
 * @throws DeploymentError when it exits early or does not become healthy within a minute
 */
export async function startImage(
  { application, isCommand, tag }: Image,
  stores: ImageStores,
): Promise<number> {
  const startedAt = performance.now();
  if (isCommand) {
    await docker(['run', '--rm', ...CONFINED, '--network', 'none', tag, '--help']);
    return Math.round(performance.now() - startedAt);
  }
  const settings = {
    ...stores.settings,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    MANAGEMENT_HOST: '127.0.0.1',
    MANAGEMENT_PORT: String(await freePort()),
  };
  const variables = Object.keys(settings).flatMap((name) => ['--env', name]);
  const routes = ['--volume', `${join(DOCKER_FOLDER, 'forward-auth/routes.json')}:${ROUTES_FILE}:ro`];
  const container = await docker(
    ['run', '--detach', ...CONFINED, '--network', 'host', ...routes, ...variables, tag],
    settings,
  );
  try {
    for (;;) {
      const [status, health] = await stateOf(container);
      if (health === 'healthy') return Math.round(performance.now() - startedAt);
      if (status !== 'running' || performance.now() - startedAt > START_TIMEOUT_MS)
        throw new DeploymentError(
          `${application} is ${status} and ${health}: ${await docker(['logs', '--tail', '20', container])}`,
        );
      await pause(POLL_MS);
    }
  } finally {
    await docker(['rm', '--force', container]);
  }
}

async function stateOf(container: string): Promise<readonly string[]> {
  const format = '{{.State.Status}} {{.State.Health.Status}}';
  return (await docker(['inspect', '--format', format, container])).split(' ');
}
