import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { secretFinder } from './secret-finder.js';
import type { NotedSecret } from './secret-notes.js';

/** A secret in clear where it should not be. */
export interface Leak {
  readonly note: NotedSecret;
  readonly file: string;
}

/** Searches files and folders for secrets; a missing path contains none. */
export function scanFiles(notes: readonly NotedSecret[], paths: readonly string[]): readonly Leak[] {
  const bySecret = new Map(notes.map((note) => [note.secret, note]));
  const finder = secretFinder(bySecret.keys());
  return paths.flatMap(filesAt).flatMap((file) =>
    [...finder.inFile(file)].flatMap((secret) => {
      const note = bySecret.get(secret);
      return note === undefined ? [] : [{ note, file }];
    }),
  );
}

function filesAt(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isFile()) return [path];
  return stats.isDirectory() ? readdirSync(path).flatMap((name) => filesAt(join(path, name))) : [];
}
