import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WorksWithError } from '../works-with-error.js';
import { type Manifest, readManifest } from './manifest.js';

/** A program and the folder of its files. */
export interface Program {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every program of a folder, by name. @throws WorksWithError when a manifest is wrong */
export function programsIn(folder: string): readonly Program[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'program.json')))
    .toSorted()
    .map((name) => ({
      name,
      folder: join(folder, name),
      manifest: readManifest(join(folder, name, 'program.json')),
    }));
}

/** The named programs, or all. @throws WorksWithError for an unknown name */
export function choosePrograms(all: readonly Program[], names: readonly string[]): readonly Program[] {
  const unknown = names.filter((name) => !all.some((program) => program.name === name));
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(', ');
    throw new WorksWithError(`There is no program ${unknown.join(', ')}. There are: ${known}`);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
