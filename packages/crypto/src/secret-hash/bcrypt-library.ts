import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const MANIFEST = '@vestibule/crypto/package.json';

type BcryptLibrary = Pick<typeof import('@node-rs/bcrypt'), 'verify'>;

let loaded: BcryptLibrary | undefined;

/**
 * Loads the library that verifies bcrypt hashes on its own threads. It is native code and cannot be bundled, so it is
 * loaded from the installation on first use.
 */
export function bcryptLibrary(): BcryptLibrary {
  loaded ??= load();
  return loaded;
}

function load(): BcryptLibrary {
  const folder = dirname(createRequire(import.meta.url).resolve(MANIFEST));
  return createRequire(`${folder}/`)('@node-rs/bcrypt');
}
