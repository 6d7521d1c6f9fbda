import process from 'node:process';
import { closeOnSignals, closers } from '@vestibule/local-services';
import { DeploymentError } from './deployment-error.js';
import { APPLICATIONS, buildTree } from './image/build-tree.js';
import { examineTree } from './image/examine-tree.js';
import { openImageStores } from './image/image-stores.js';

const HELP = `pnpm images [application …]

Runs the steps of docker/Dockerfile as ordinary commands in an empty folder, for each application of apps/ that is named,
or all; starts what comes out against a PostgreSQL and a Redis of its own, and looks for what does not belong there.
`;

const EXIT_FAILED = 1;
const toEnd = closers();
const print = (line: string) => {
  process.stdout.write(`${line}\n`);
};

closeOnSignals(toEnd);

try {
  await main(process.argv.slice(2).filter((word) => word !== '--'));
} catch (error) {
  process.stderr.write(`${error instanceof DeploymentError ? error.message : String(error)}\n`);
  process.exitCode = EXIT_FAILED;
} finally {
  await toEnd.closeAll();
}

async function main(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) return print(HELP);
  const known = new Set(APPLICATIONS);
  const extraneous = words.filter((word) => !known.has(word));
  if (extraneous.length > 0) throw new DeploymentError(`There is no application ${extraneous.join(', ')}.`);
  const stores = await openImageStores(toEnd, print);
  for (const application of words.length > 0 ? words : APPLICATIONS) {
    const tree = await buildTree(application, { environment: process.env, toEnd, say: print });
    const { megabytes, packages, readyMs } = await examineTree(tree, stores);
    print(`✓ ${application}: ${megabytes.toFixed(1)} MB, ${packages} packages, ready after ${readyMs} ms`);
  }
}
