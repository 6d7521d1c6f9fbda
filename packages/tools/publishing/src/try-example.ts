import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackedPackage } from './pack-packages.js';
import { ROOT } from './root.js';
import { runStep } from './run-step.js';

/** A tool as an outside application; it is not part of the workspace. */
const EXAMPLE = join(ROOT, 'packages', 'tools', 'publishing', 'example');

/**
 * Installs the tool with the packed packages in an empty folder outside the workspace, type checks it, and runs it with each
 * program of Node.
 * @returns its output; rejects with the output of the failing step
 */
export async function tryExample(
  packed: readonly PackedPackage[],
  folder: string,
  programs: readonly string[],
): Promise<string> {
  await cp(EXAMPLE, folder, { recursive: true });
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const tarballs = packed.map(({ name, tarball }) => [name, `file:${tarball}`] as const);
  const wanted = tarballs.filter(([name]) => name in manifest.dependencies);
  manifest.dependencies = Object.fromEntries(wanted);
  // Dependencies between the packages come from the same release, not from the registry.
  manifest.overrides = Object.fromEntries(tarballs.filter(([name]) => !(name in manifest.dependencies)));
  await writeFile(file, JSON.stringify(manifest, null, 2));
  await runStep(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'], { folder });
  await runStep(['npm', 'run', 'build'], { folder });
  let output = '';
  for (const node of programs) output = await runStep([node, 'dist/demonstration.js'], { folder });
  return output;
}
