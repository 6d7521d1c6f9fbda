import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from '@vestibule/local-services';
import { ignoredBy } from '../dockerfile/ignored.js';
import { readDockerfile, startWords } from '../dockerfile/read-dockerfile.js';
import { runStages } from '../dockerfile/run-stages.js';
import { DOCKER_FOLDER, ROOT } from '../repository.js';

/** Stands for an application of one's own machine, which is no image. */
const LOCAL_ONLY = 'standalone';

/** The applications that images are made of. */
export const APPLICATIONS: readonly string[] = readdirSync(join(ROOT, 'apps')).filter(
  (name) => name !== LOCAL_ONLY,
);

/** What lies in an image of an application, without the layers below. */
export interface ProductionTree {
  readonly application: string;
  /** What is the working folder in the image. */
  readonly folder: string;
  /** The words that it starts with. */
  readonly words: readonly string[];
}

/** What building takes. */
export interface BuildOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly toEnd: Closers;
  readonly say: (line: string) => void;
}

/** The stages up to the image, in order. */
const STAGES = ['workspace', 'build', 'runtime'];

/** The stage that is the image of an application. */
export function targetOf(application: string): string {
  return application === 'cli' ? 'cli' : 'service';
}

/**
 * Runs the steps of the Dockerfile for one application as ordinary commands, in an empty folder below the system's one
 * for temporary files.
 * @throws DeploymentError when a step fails
 */
export async function buildTree(
  application: string,
  { environment, toEnd, say }: BuildOptions,
): Promise<ProductionTree> {
  const workFolder = await mkdtemp(join(tmpdir(), 'vestibule-image-'));
  toEnd.add(() => rm(workFolder, { recursive: true, force: true }));
  const [dockerfile, ignored] = await Promise.all(
    ['Dockerfile', 'Dockerfile.dockerignore'].map((name) => readFile(join(DOCKER_FOLDER, name), 'utf8')),
  );
  const stages = readDockerfile(dockerfile ?? '');
  const { PATH, HOME } = environment;
  const run = {
    stages,
    context: { folder: ROOT, isIgnored: ignoredBy(ignored ?? '') },
    buildArguments: { APP: application },
    environment: { PATH, HOME },
    workFolder,
    say,
  };
  const folder = await runStages(run, STAGES);
  const { entrypoint, command } = startWords(stages, targetOf(application));
  return { application, folder, words: [...entrypoint, ...command] };
}
