import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.js';

/** What a package tells of itself, as far as it is judged here. */
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

/** What a package exports: a file, or one for each condition. */
type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** A package of the workspace. */
export interface WorkspacePackage {
  /** Below the root, as in `packages/tokens`. */
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

/** The packages that others may install. */
export function publishedPackages(): readonly WorkspacePackage[] {
  return workspacePackages().filter(({ manifest }) => manifest.private !== true);
}
