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
