import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.js';

/** The checked members of a manifest. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly sideEffects?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Exports;
  readonly files?: readonly string[];
  readonly publishConfig?: {
    readonly access?: string;
    readonly exports?: Exports;
  };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The scope of the names of all packages. */
const SCOPE = '@vestibule/';

/** The exports of a package: a file, or one for each condition. */
type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** A package of the workspace. */
export interface WorkspacePackage {
  /** Relative to the root, as in `packages/tokens`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every package of the workspace, by name. */
export function workspacePackages(): readonly WorkspacePackage[] {
  return ['apps', 'packages', 'packages/tools'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => folder !== 'packages/tools')
      .map((folder) => {
        const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
        return { folder, manifest };
      }),
  );
}

/** The published packages. */
export function publishedPackages(): readonly WorkspacePackage[] {
  return workspacePackages().filter(({ manifest }) => manifest.private !== true);
}

/**
 * Packages with everything of the workspace that they depend on, in the order of `all`.
 * @param names without the scope, as in `tokens`; none stands for all
 * @throws Error if a package does not exist
 */
export function withDependencies(
  all: readonly WorkspacePackage[],
  names: readonly string[],
): readonly WorkspacePackage[] {
  if (names.length === 0) return all;
  const byName = new Map(all.map((each) => [each.manifest.name, each]));
  const wanted = new Set<string>();
  const add = (name: string) => {
    const found = byName.get(name);
    if (found === undefined || wanted.has(name)) return;
    wanted.add(name);
    for (const dependency of Object.keys(found.manifest.dependencies ?? {})) add(dependency);
  };
  for (const name of names) {
    if (!byName.has(`${SCOPE}${name}`)) {
      const known = all.map(({ manifest }) => manifest.name.slice(SCOPE.length));
      throw new Error(`${name}: no such package (there are ${known.join(', ')})`);
    }
    add(`${SCOPE}${name}`);
  }
  return all.filter(({ manifest }) => wanted.has(manifest.name));
}

/** Everything that packages let applications import, as in `@vestibule/tokens/issuing`. */
export function entryPoints(packages: readonly WorkspacePackage[]): readonly string[] {
  return packages.flatMap(({ manifest }) =>
    Object.keys(manifest.publishConfig?.exports ?? {})
      .filter((path) => path !== './package.json')
      .map((path) => manifest.name + path.slice(1)),
  );
}
