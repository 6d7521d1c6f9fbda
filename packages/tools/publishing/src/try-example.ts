import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PackedPackage } from './pack-packages.js';
import { ROOT } from './root.js';

const run = promisify(execFile);

/** A tool as an outside application; it is not part of the workspace. */
const EXAMPLE = join(ROOT, 'packages', 'tools', 'publishing', 'example');

/**
 * Installs the tool with the packed packages in an empty folder outside the workspace, type checks it and runs it.
 * @returns its output; rejects with the output of the failing step
 */
export async function tryExample(packed: readonly PackedPackage[], folder: string): Promise<string> {
  await cp(EXAMPLE, folder, { recursive: true });
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const tarballs = packed.map(({ name, tarball }) => [name, `file:${tarball}`] as const);
  const wanted = tarballs.filter(([name]) => name in manifest.dependencies);
  manifest.dependencies = Object.fromEntries(wanted);
  // Dependencies between the packages come from the same release, not from the registry.
  manifest.overrides = Object.fromEntries(tarballs.filter(([name]) => !(name in manifest.dependencies)));
  await writeFile(file, JSON.stringify(manifest, null, 2));
  await step(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline']);
  await step(folder, ['run', 'build']);
  return step(folder, ['start', '--silent']);
}

async function step(folder: string, parameters: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('npm', parameters, { cwd: folder });
    return stdout;
  } catch (failure) {
    if (!(failure instanceof Error) || !('stdout' in failure) || !('stderr' in failure)) throw failure;
    throw new Error(`npm ${parameters.join(' ')}: ${failure.stdout}${failure.stderr}`, { cause: failure });
  }
}
