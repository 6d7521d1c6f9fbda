import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { docker } from '../docker.js';
import { DOCKER_FOLDER, ROOT } from '../repository.js';

/** Runs in one process with an embedded PostgreSQL on a developer's machine, without an image. */
const LOCAL_ONLY = 'standalone';

/** The applications that have an image. */
export const APPLICATIONS: readonly string[] = readdirSync(join(ROOT, 'apps')).filter(
  (name) => name !== LOCAL_ONLY,
);

/** A built image. */
export interface Image {
  readonly application: string;
  /** Whether it is a command rather than a service. */
  readonly isCommand: boolean;
  /** The name in the compose file. */
  readonly tag: string;
}

/** Builds the image of an application with the container engine. @throws DeploymentError when a step fails */
export async function buildImage(application: string, network: string): Promise<Image> {
  const isCommand = application === 'cli';
  const tag = `vestibule/${application}`;
  const target = isCommand ? 'cli' : 'service';
  const file = join(DOCKER_FOLDER, 'Dockerfile');
  const options = ['--file', file, '--build-arg', `APP=${application}`, '--target', target, '--tag', tag];
  await docker(['build', '--quiet', '--network', network, ...options, ROOT]);
  return { application, isCommand, tag };
}
