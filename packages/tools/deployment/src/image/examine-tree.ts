import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { DeploymentError } from '../deployment-error.js';
import { isGood } from '../stack/instance.js';
import { startLocalProcess } from '../stack/local-process.js';
import type { ProductionTree } from './build-tree.js';
import { extraneousPackagesIn } from './extraneous-packages-in.js';
import type { ImageStores } from './image-stores.js';
import { sizeOf } from './size-of.js';

/** What a production tree is like. */
export interface TreeReport {
  readonly megabytes: number;
  readonly packages: number;
  /** From the start of the process to its first good answer about readiness. */
  readonly readyMs: number;
}

/** What a tree may weigh: with Debian's slim image and the program of Node an image stays below 250 MB. */
export const MAX_TREE_MEGABYTES = 48;

/**
 * Starts what lies in a tree, and looks for what does not belong there.
 * @throws DeploymentError when it does not become ready, holds a package that no production dependency asks for, or is
 *   too large
 */
export async function examineTree(tree: ProductionTree, stores: ImageStores): Promise<TreeReport> {
  const { packages, extraneous } = await extraneousPackagesIn(tree.folder);
  if (extraneous.length > 0)
    throw new DeploymentError(
      `${tree.application} contains packages that no production dependency requires: ${extraneous.join(', ')}.`,
    );
  const megabytes = (await sizeOf(tree.folder)) / 1e6;
  if (megabytes > MAX_TREE_MEGABYTES)
    throw new DeploymentError(`${tree.application} is too large: ${megabytes.toFixed(1)} MB.`);
  return { megabytes, packages, readyMs: await start(tree, stores) };
}

async function start(
  { application, folder, words }: ProductionTree,
  { settings }: ImageStores,
): Promise<number> {
  const [port, management] = [await freePort(), await freePort()];
  const logs = await mkdtemp(join(tmpdir(), 'vestibule-image-log-'));
  const startedAt = performance.now();
  const running = await startLocalProcess({
    name: application,
    words: application === 'cli' ? [...words, '--help'] : words,
    folder,
    environment: {
      ...settings,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(management),
    },
    logFile: join(logs, 'log'),
  });
  try {
    if (application === 'cli') await running.ended();
    else await running.until(() => isGood(`http://127.0.0.1:${management}/health/ready`));
    return Math.round(performance.now() - startedAt);
  } finally {
    await running.stop();
    await rm(logs, { recursive: true, force: true });
  }
}
