import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { DeploymentError } from '../deployment-error.js';
import { docker } from '../docker.js';
import type { Image } from './build-image.js';
import { extraneousPackagesIn } from './extraneous-packages-in.js';
import type { ImageStores } from './image-stores.js';
import { startImage } from './start-image.js';

/** Properties of an image. */
export interface ImageReport {
  /** The size of its folder /app. */
  readonly megabytes: number;
  readonly packages: number;
  /** Until the health check succeeds; for the CLI, until it exits. */
  readonly startMs: number;
}

/** Limit for /app. With Debian slim and the binary of Node an image stays below 250 MB. */
const MAX_MEGABYTES = 48;
const USER = '10001:10001';
/** A variable outside this list may be a secret that a build step left behind. */
const VARIABLES = ['PATH', 'NODE_ENV', 'PORT', 'MANAGEMENT_HOST'];
/** Package managers, which an image does not need to run. */
const TOOLS = ['npm', 'npx', 'yarn', 'pnpm', 'corepack'];
/** Files for compilers and debuggers only, and files of a checkout or a local stack. */
const UNWANTED = /\.(?:ts|mts|cts|map|tsbuildinfo)$|(?:^|\/)\.(?:git|vestibule|env)(?:\/|$)/;

const Config = Type.Object({
  User: Type.String(),
  Env: Type.Array(Type.String()),
  Healthcheck: Type.Optional(Type.Object({ Test: Type.Array(Type.String()) })),
});

/**
 * Checks the configuration and the files of an image, and starts it.
 * @throws DeploymentError when it breaks a rule or does not start
 */
export async function examineImage(image: Image, stores: ImageStores): Promise<ImageReport> {
  const { application, isCommand, tag } = image;
  const refuse = (reason: string) => new DeploymentError(`The image of ${application} ${reason}.`);
  const { User, Env, Healthcheck } = await configOf(tag);
  if (User !== USER) throw refuse(`runs as user "${User}" instead of ${USER}`);
  if (!isCommand && Healthcheck?.Test[0] !== 'CMD') throw refuse('has no health check');
  const variables = Env.map((text) => text.slice(0, text.indexOf('='))).filter(
    (name) => !VARIABLES.includes(name),
  );
  if (variables.length > 0) throw refuse(`sets the environment variables ${variables.join(', ')}`);
  const search = TOOLS.map((name) => `command -v ${name}`).join('; ');
  const tools = await docker([
    'run',
    '--rm',
    '--network',
    'none',
    '--entrypoint',
    'sh',
    tag,
    '-c',
    `${search}; true`,
  ]);
  if (tools !== '') throw refuse(`contains ${tools.replaceAll('\n', ', ')}`);
  const { megabytes, packages } = await examineFiles(tag, refuse);
  return { megabytes, packages, startMs: await startImage(image, stores) };
}

async function configOf(tag: string): Promise<Static<typeof Config>> {
  const config: unknown = JSON.parse(await docker(['image', 'inspect', '--format', '{{json .Config}}', tag]));
  return Value.Parse(Config, config);
}

async function examineFiles(tag: string, refuse: (reason: string) => DeploymentError) {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-image-'));
  const container = await docker(['create', tag]);
  try {
    await docker(['cp', `${container}:/app/.`, folder]);
    const { packages, extraneous } = await extraneousPackagesIn(folder);
    if (extraneous.length > 0)
      throw refuse(`contains packages that no production dependency requires: ${extraneous.join(', ')}`);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const unwanted = files.map((file) => file.slice(folder.length + 1)).filter((file) => UNWANTED.test(file));
    if (unwanted.length > 0) throw refuse(`contains ${unwanted.slice(0, 10).join(', ')}`);
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
    if (megabytes > MAX_MEGABYTES) throw refuse(`is too large: ${megabytes.toFixed(1)} MB in /app`);
    return { megabytes, packages };
  } finally {
    await docker(['rm', container]);
    await rm(folder, { recursive: true, force: true });
  }
}
