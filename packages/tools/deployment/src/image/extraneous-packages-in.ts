import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { DeploymentError } from '../deployment-error.js';

/** The packages of an installation. */
export interface PackageReport {
  /** The number of required packages. */
  readonly packages: number;
  /** Installed packages that no production dependency requires. */
  readonly extraneous: readonly string[];
}

const Names = Type.Optional(Type.Record(Type.String(), Type.String()));
const Manifest = Type.Object({
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
});

/** Follows the production dependencies of the package in a folder, and names other installed packages. */
export async function extraneousPackagesIn(folder: string): Promise<PackageReport> {
  const required = new Set<string>();
  await follow(await realpath(folder), required);
  const installed = await installedIn(join(folder, 'node_modules', '.pnpm'));
  const extraneous = installed.filter((place) => !required.has(place));
  return { packages: required.size - 1, extraneous: extraneous.map(nameOf) };
}

async function follow(folder: string, required: Set<string>): Promise<void> {
  if (required.has(folder)) return;
  required.add(folder);
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (!Value.Check(Manifest, manifest)) throw new DeploymentError(`${folder} has no manifest.`);
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const found = await resolveFrom(folder, name);
    if (found !== undefined) await follow(found, required);
  }
}

/** Resolves a package from another one as Node does. */
async function resolveFrom(folder: string, name: string): Promise<string | undefined> {
  const place = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
  if (place !== undefined || dirname(folder) === folder) return place;
  return resolveFrom(dirname(folder), name);
}

/** The packages themselves, not the links to them. */
async function installedIn(store: string): Promise<readonly string[]> {
  const places: string[] = [];
  for (const entry of await readdir(store)) {
    if (entry === 'node_modules' || !(await isFolder(join(store, entry)))) continue;
    const modules = join(store, entry, 'node_modules');
    for (const name of await packagesIn(modules)) places.push(await realpath(join(modules, name)));
  }
  return [...new Set(places)];
}

async function packagesIn(modules: string): Promise<readonly string[]> {
  const entries = await readdir(modules, { withFileTypes: true });
  const found = entries.map(async ({ name }) => {
    if (!name.startsWith('@')) return name.startsWith('.') ? [] : [name];
    return (await readdir(join(modules, name))).map((each) => `${name}/${each}`);
  });
  const names = (await Promise.all(found)).flat();
  const exist = await Promise.all(names.map((name) => isFolder(join(modules, name))));
  return names.filter((_, index) => exist[index]);
}

function isFolder(path: string): Promise<boolean> {
  return realpath(path)
    .then((place) => readdir(place))
    .then(
      () => true,
      () => false,
    );
}

function nameOf(place: string): string {
  return place.split('/node_modules/').at(-1) ?? place;
}
