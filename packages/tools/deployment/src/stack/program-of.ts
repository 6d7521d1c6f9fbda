import { join } from 'node:path';
import { type ComposeService, environmentOf } from '../compose/compose-file.js';
import { DeploymentError } from '../deployment-error.js';
import { startWords } from '../dockerfile/read-dockerfile.js';
import { DOCKER_FOLDER, ROOT } from '../repository.js';
import type { Installation } from './installation.js';
import { type LocalPlaces, localise, makeRoot } from './local-places.js';

/** What a container runs, for this machine. */
export interface ContainerProgram {
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A service of the compose file. @throws DeploymentError when it has none of that name */
export function serviceOf({ compose }: Installation, name: string): ComposeService {
  const service = compose.services[name];
  if (service === undefined) throw new DeploymentError(`The compose file has no service ${name}.`);
  return service;
}

/** Makes the root of a container of a service. @param rootName the folder that stands for it */
export async function placesOf(
  installation: Installation,
  name: string,
  rootName: string,
): Promise<LocalPlaces> {
  const { folder, places } = installation;
  const root = join(folder, 'roots', rootName);
  const mounts = await makeRoot(serviceOf(installation, name), root, (source) => sourceOf(folder, source));
  return { addresses: places.addresses, root, mounts };
}

/** The folder of a volume, or of a path from docker/. */
function sourceOf(folder: string, source: string): string {
  return source.startsWith('.') ? join(DOCKER_FOLDER, source) : join(folder, 'volumes', source);
}

/** The program of a service: its own words, or those that its image starts with. */
export function programOf(installation: Installation, name: string, places: LocalPlaces): ContainerProgram {
  const service = serviceOf(installation, name);
  const image = startWords(installation.dockerfile, service.build?.target ?? '');
  const words = [...(service.entrypoint ?? image.entrypoint), ...(service.command ?? image.command)];
  const settings = Object.entries(environmentOf(service));
  return {
    words: words.map((word) => localise(word, places)),
    folder: service.build === undefined ? places.root : join(ROOT, 'apps', service.build.args.APP),
    environment: Object.fromEntries(settings.map(([key, value]) => [key, localise(value, places)])),
  };
}
