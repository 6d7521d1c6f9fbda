import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentedExamples } from './documented-examples.js';
import type { PackedPackage } from './pack-packages.js';
import { catalogVersion } from './root.js';
import { runStep } from './run-step.js';
import { entryPoints, type WorkspacePackage } from './workspace-packages.js';

/** What an application declares beside the packages: what the examples import, the peer, and types. */
const BESIDE = ['@types/node', '@types/oidc-provider', 'oidc-provider', 'typebox', 'typescript'];

/** Where the compiled application is, in its folder. */
export const COMPILED = 'compiled';

/** How TypeScript resolves modules: as Node does, and as bundlers do. */
const RESOLUTIONS = {
  nodenext: { module: 'nodenext', outDir: COMPILED },
  bundler: { module: 'esnext', moduleResolution: 'bundler', noEmit: true },
} as const;

const MIGRATE = `import { migrate } from '@vestibule/database';
await migrate(process.env.DATABASE_URL);
`;

/** Nothing is skipped: types of the packages and of what they depend on are checked too. */
const STRICT = {
  target: 'es2023',
  lib: ['es2023'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  rootDir: '.',
};

/**
 * Writes an application into an empty folder outside of the workspace and installs all packed packages into it with npm.
 * It has a file for each documented example; `entry-points.ts`, which imports everything that can be imported;
 * `required.cjs`, which does so with `require`; and `migrate.js`, which migrates the database at `DATABASE_URL`.
 */
export async function installApplication(
  folder: string,
  packed: readonly PackedPackage[],
  packages: readonly WorkspacePackage[],
): Promise<void> {
  await mkdir(folder);
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const tarballs = packed.map(({ name, tarball }) => [name, `file:${tarball}`]);
  const beside = BESIDE.map((name) => [name, catalogVersion(name)]);
  const dependencies = Object.fromEntries([...tarballs, ...beside]);
  await write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }));
  const files = ['entry-points.ts', ...documentedExamples().map(({ name }) => `${name}.ts`)];
  for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
    const compilerOptions = { ...STRICT, ...resolution };
    await write(`${name}.json`, JSON.stringify({ compilerOptions, files }));
  }
  for (const { name, example } of documentedExamples()) await write(`${name}.ts`, example.code);
  const points = entryPoints(packages);
  await write(
    'entry-points.ts',
    points.map((point, index) => `import * as m${index} from '${point}';\nvoid m${index};`).join('\n'),
  );
  await write('required.cjs', points.map((point) => `require('${point}');`).join('\n'));
  await write('migrate.js', MIGRATE);
  await runStep(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'], { folder });
}

/**
 * Type checks the application with each resolution, and compiles it.
 * @returns the names of the resolutions
 */
export async function compileApplication(folder: string): Promise<readonly string[]> {
  const names = Object.keys(RESOLUTIONS);
  for (const name of names)
    await runStep([join(folder, 'node_modules', '.bin', 'tsc'), '-p', `${name}.json`], { folder });
  return names;
}
