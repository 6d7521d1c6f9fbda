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
import { StartError } from '@vestibule/service/settings';

/**
 * Reads the secret in a file, or creates it. The file appears complete and flushed to the disk, or not at all, even if
 * the machine fails.
 *
 * @throws StartError if the file contains less than a secret
 */
export function loadOrCreateSecret(file: string, minLength: number, make: () => string): string {
  if (!existsSync(file)) writeOnce(file, make());
  return readSecret(file, minLength);
}

/**
 * Reads the secret in a file.
 * @throws StartError if the file contains less than a secret
 */
export function readSecret(file: string, minLength: number): string {
  const secret = readFileSync(file, 'utf8').trimEnd();
  if (secret.length >= minLength) return secret;
  throw new StartError(
    `The secret in ${file} is ${secret === '' ? 'missing' : 'too short'}: restore it from a backup, or delete the file if nothing depends on it yet.`,
  );
}

/** Written to a temporary file first: neither a crash nor a concurrent process leaves an incomplete file. */
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

/** Flushes the folder, so that the name of the file is on the disk. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
