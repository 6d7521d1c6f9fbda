import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from '@vestibule/local-services';
import { composeText, readCompose } from '../compose/compose-file.js';
import type { Variables } from '../compose/interpolate.js';
import { readDockerfile } from '../dockerfile/read-dockerfile.js';
import { DOCKER_FOLDER } from '../repository.js';
import { startGateway } from './gateway-process.js';
import type { Installation } from './installation.js';
import { type Instance, startInstance } from './instance.js';
import { startLocalProcess } from './local-process.js';
import { placesOf, programOf } from './program-of.js';
import { choosePlaces, portOf } from './stack-places.js';
import { startStores } from './stores.js';

/** What a stack is started with. */
export interface ComposeStackOptions {
  /** The loopback address of the gateway. */
  readonly baseUrl: string;
  /** The environment of whoever would run the compose file. */
  readonly variables?: Variables;
  readonly toEnd: Closers;
  readonly say: (sentence: string) => void;
}

/** A running stack: a gateway and a process for each instance of each service. */
export interface ComposeStack {
  readonly instances: readonly Instance[];
  readonly masterTokenFile: string;
  /** Where each process prints, a file of its name and number each. */
  readonly logFolder: string;
}

/**
 * Starts what docker/compose.yaml says as ordinary processes of this machine, in the order and with the settings that
 * it gives them: PostgreSQL, Redis, the secrets, the migrations, every instance of the services, the gateway. Addresses
 * of containers become ports of this machine, volumes become folders.
 * @throws DeploymentError or LocalServiceError when something does not start
 */
export async function startComposeStack(options: ComposeStackOptions): Promise<ComposeStack> {
  const { baseUrl, variables = {}, toEnd, say } = options;
  const compose = readCompose(composeText(), { ...variables, BASE_URL: baseUrl });
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-compose-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  // The users of other programs pass through; what is secret is closed by itself.
  await chmod(folder, 0o711);
  const logFolder = join(folder, 'logs');
  await mkdir(logFolder);
  const dockerfile = readDockerfile(await readFile(join(DOCKER_FOLDER, 'Dockerfile'), 'utf8'));
  const places = await choosePlaces(compose, Number(new URL(baseUrl).port));
  const installation: Installation = { compose, dockerfile, folder, logFolder, places, toEnd, say };
  await startStores(installation, () => runToEnd(installation, 'setup'));
  await runToEnd(installation, 'migrate');
  const instances: Instance[] = [];
  for (const place of places.instances) instances.push(await startInstance(installation, place));
  await startGateway(installation);
  return {
    instances,
    masterTokenFile: join(folder, 'volumes', 'operator-secrets', 'master-token'),
    logFolder,
  };
}

/** Runs a service of the compose file that ends by itself. */
async function runToEnd(installation: Installation, name: string): Promise<void> {
  const places = await placesOf(installation, name, name);
  const program = programOf(installation, name, places);
  const running = await startLocalProcess({ ...program, name, logFile: join(installation.logFolder, name) });
  await running.ended();
}

/** The management address of an instance. */
export function managementUrl({ place }: Instance): string {
  return `http://127.0.0.1:${portOf(place.management)}`;
}
