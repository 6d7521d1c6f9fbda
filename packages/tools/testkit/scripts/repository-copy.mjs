import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

const LEFT_OUT = ['.git', '.vestibule', '.turbo', 'node_modules'];

/**
 * Runs some work in a copy of the repository that may be changed, and removes the copy. Installed packages at the root
 * are left out; the packages' own module folders are links between packages, which stay.
 * @template Result
 * @param {(copy: string) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function inCopy(work) {
  const copy = await mkdtemp(join(tmpdir(), 'vestibule-copy-'));
  try {
    await cp(ROOT, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.includes(relative(ROOT, path)),
    });
    return await work(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
