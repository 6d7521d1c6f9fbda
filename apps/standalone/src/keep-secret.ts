import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '@vestibule/service-kit/settings';

/**
 * The secret in a file, made now where there is none. A file appears complete and written to the disk, or not at all,
 * also when the machine fails.
 *
 * @throws StartError when the file holds less than a secret
 */
export function keepSecret(file: string, minLength: number, make: () => string): string {
  if (!existsSync(file)) writeOnce(file, make());
  return readSecret(file, minLength);
}

/** The secret in a file. @throws StartError when the file holds less than a secret */
export function readSecret(file: string, minLength: number): string {
  const secret = readFileSync(file, 'utf8').trimEnd();
  if (secret.length >= minLength) return secret;
  throw new StartError(
    `The secret in ${file} is ${secret === '' ? 'missing' : 'too short'}: put it back from a copy, or, when nothing depends on it yet, delete the file.`,
  );
}

/** Written aside first: a crash in between, or someone else who is faster, leaves nothing half-made. */
function writeOnce(file: string, secret: string): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    const handle = openSync(draft, 'w', 0o600);
    try {
      writeFileSync(handle, `${secret}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(file));
}

/** The name of a file is on the disk when its folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
