import process from 'node:process';
import { parseArgs } from 'node:util';
import { closeOnSignals, closers } from '@vestibule/local-services';
import { DeploymentError } from './deployment-error.js';
import { APPLICATIONS, buildImage } from './image/build-image.js';
import { examineImage } from './image/examine-image.js';
import { openImageStores } from './image/image-stores.js';

const HELP = `pnpm images [--network name] [application …]

Builds the images of docker/Dockerfile with the container engine, for the named applications of apps/ or for all. Checks the
user, the environment and the files of each image, and starts it against a PostgreSQL and a Redis of its own.

  --network  the network of the build steps, as in docker build --network
`;

const EXIT_FAILED = 1;
const toEnd = closers();
const print = (line: string) => {
  process.stdout.write(`${line}\n`);
};

closeOnSignals(toEnd);

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof DeploymentError ? error.message : String(error)}\n`);
  process.exitCode = EXIT_FAILED;
} finally {
  await toEnd.closeAll();
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((word) => word !== '--'),
    options: { help: { type: 'boolean', default: false }, network: { type: 'string', default: 'default' } },
    allowPositionals: true,
  });
  if (values.help) return print(HELP);
  const unknown = positionals.filter((name) => !APPLICATIONS.includes(name));
  if (unknown.length > 0) throw new DeploymentError(`apps/ has no application ${unknown.join(', ')}.`);
  const stores = await openImageStores(toEnd, print);
  for (const application of positionals.length > 0 ? positionals : APPLICATIONS) {
    print(`Building ${application}`);
    const image = await buildImage(application, values.network);
    const { megabytes, packages, startMs } = await examineImage(image, stores);
    print(
      `✓ ${application}: ${megabytes.toFixed(1)} MB in /app, ${packages} packages, started in ${startMs} ms`,
    );
  }
}
