// Pins the base images of the Dockerfile by digest in base-images.lock:
//   node docker/base-images.mjs lock       fetches the digests from the registry and writes base-images.lock
//   node docker/base-images.mjs contexts   prints them as build contexts; fails if a base image has no digest
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const DOCKERFILE = new URL('Dockerfile', import.meta.url);
const LOCK = new URL('base-images.lock', import.meta.url);

const stages = [...readFileSync(DOCKERFILE, 'utf8').matchAll(/^FROM (\S+) AS (\S+)$/gm)];
const stageNames = stages.map(([, , name]) => name);
const images = [...new Set(stages.map(([, from]) => from).filter((from) => !stageNames.includes(from)))];

function lock() {
  const digestOf = (image) =>
    JSON.parse(
      execFileSync('docker', ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest}}'], {
        encoding: 'utf8',
      }),
    ).digest;
  writeFileSync(LOCK, images.map((image) => `${image}@${digestOf(image)}\n`).join(''));
}

function contexts() {
  const locked = existsSync(LOCK) ? readFileSync(LOCK, 'utf8').split('\n') : [];
  const pinned = images.map((image) => ({
    image,
    reference: locked.find((line) => line.startsWith(`${image}@`) && /@sha256:[0-9a-f]{64}$/.test(line)),
  }));
  for (const { image, reference } of pinned) {
    if (reference === undefined) {
      process.stderr.write(
        `docker/base-images.lock has no digest for ${image}. Run \`node docker/base-images.mjs lock\` and commit the file.\n`,
      );
      process.exitCode = 1;
    } else process.stdout.write(`${image}=docker-image://${reference}\n`);
  }
}

const commands = { lock, contexts };
const command = commands[process.argv[2]];
if (command === undefined) {
  process.stderr.write('node docker/base-images.mjs lock|contexts\n');
  process.exitCode = 2;
} else command();
