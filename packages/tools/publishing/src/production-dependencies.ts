import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An installed package. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Its licence as an SPDX expression; undefined if the manifest names none. */
  readonly license: string | undefined;
  /** Where it is installed, without symbolic links. */
  readonly folder: string;
}

interface InstalledManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type Names = Readonly<Record<string, string>>;

/**
 * What an installed package brings along for production: dependencies, optional ones that fit this machine, and peers
 * that are not optional, at any depth. The peers of the package itself come from the application that uses it.
 */
export function productionDependencies(folder: string): readonly InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const start = realpathSync(folder);
  const visit = (names: readonly string[], from: string, isOptional: boolean) => {
    for (const name of names) {
      const at = installedAt(name, from);
      if (at === undefined && isOptional) continue;
      if (at === undefined) throw new Error(`${name}, a dependency of ${from}, is not installed`);
      if (found.has(at) || at === start) continue;
      const manifest = manifestOf(at);
      found.set(at, described(manifest, at));
      follow(manifest, at, requiredPeers(manifest));
    }
  };
  const follow = (manifest: InstalledManifest, at: string, peers: readonly string[]) => {
    const optional = Object.keys(manifest.optionalDependencies ?? {});
    const required = Object.keys(manifest.dependencies ?? {}).filter((name) => !optional.includes(name));
    visit([...required, ...peers], at, false);
    visit(optional, at, true);
  };
  follow(manifestOf(start), start, []);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function described({ name, version, license }: InstalledManifest, folder: string): InstalledPackage {
  return { name, version, license: typeof license === 'object' ? license.type : license, folder };
}

function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }: InstalledManifest): string[] {
  return Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
}

function manifestOf(folder: string): InstalledManifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Looks in every `node_modules` from a folder up, as Node does. */
function installedAt(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}
