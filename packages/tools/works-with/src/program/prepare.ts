import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Closers } from '@vestibule/local-services';
import type { Program } from './programs.js';
import { runShell } from './shell.js';

/** The prepared folder of a program, or the reason why there is none. */
export type Prepared = { readonly folder: string } | { readonly problem: string };

/** Generated files in the folder of a program, which are not copied. */
const MADE = new Set(['node_modules', '.venv', '__pycache__', 'target', 'bin', 'obj']);
const READY = '.prepared';
const LIMIT_MS = 600_000;
const TAIL = 1_500;

/**
 * Copies the files of a program below the cache folder and runs its preparation there. An earlier preparation of the
 * same files is reused.
 */
export async function prepare(
  program: Program,
  cache: string,
  environment: NodeJS.ProcessEnv,
  toEnd: Closers,
): Promise<Prepared> {
  const { name, folder, manifest } = program;
  const digest = await digestOf(program);
  const target = join(cache, `${name}-${digest}`);
  const isReady = await readFile(join(target, READY)).then(
    () => true,
    () => false,
  );
  if (isReady) return { folder: target };
  await rm(target, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  for (const file of sharedFiles(program)) await cp(file, join(target, basename(file)));
  await cp(folder, target, {
    recursive: true,
    filter: (path) => path === folder || !MADE.has(basename(path)),
  });
  for (const line of manifest.prepare) {
    const { exitCode, stdout, stderr } = await runShell(
      { line, folder: target, environment, limitMs: LIMIT_MS },
      toEnd,
    );
    if (exitCode !== 0) return { problem: `"${line}" failed: ${`${stdout}${stderr}`.trim().slice(-TAIL)}` };
  }
  await writeFile(join(target, READY), '');
  return { folder: target };
}

function sharedFiles({ folder, manifest: { shared = [] } }: Program): readonly string[] {
  return shared.map((name) => join(dirname(folder), 'shared', name));
}

async function digestOf(program: Program): Promise<string> {
  const { folder } = program;
  const own = (await filesBelow(folder)).toSorted().map((path) => join(folder, path));
  const hash = createHash('sha256');
  for (const file of [...own, ...sharedFiles(program)])
    hash.update(`${relative(folder, file)}\n`).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function filesBelow(folder: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter(({ name }) => !MADE.has(name))
      .map((entry) => {
        const path = join(below, entry.name);
        return entry.isDirectory() ? filesBelow(folder, path) : [path];
      }),
  );
  return nested.flat();
}
