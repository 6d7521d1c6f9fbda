import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const MANIFEST = '@vestibule/crypto/package.json';

type BcryptLibrary = Pick<typeof import('@node-rs/bcrypt'), 'verify'>;

let loaded: BcryptLibrary | undefined;

/**
 * The library that verifies bcrypt hashes on threads of its own. It is compiled code, which no program can be bundled
 * with: it is loaded from where this package is installed, when it is first needed.
 */
export function bcryptLibrary(): BcryptLibrary {
  loaded ??= load();
  return loaded;
}

function load(): BcryptLibrary {
  const folder = dirname(createRequire(import.meta.url).resolve(MANIFEST));
  return createRequire(`${folder}/`)('@node-rs/bcrypt');
}
