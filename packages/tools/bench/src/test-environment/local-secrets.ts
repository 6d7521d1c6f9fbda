import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secrets of the services under test; they are kept between runs because data in the database is encrypted with
 * them.
 */
export interface LocalSecrets {
  readonly masterToken: string;
  readonly masterTokenSha256: string;
  readonly encryptionKeys: string;
}

/** Reads the secrets from a folder, and creates missing ones. */
export async function localSecrets(folder: string): Promise<LocalSecrets> {
  const masterToken = await keep(join(folder, 'master-token'), 'hex');
  return {
    masterToken,
    masterTokenSha256: createHash('sha256').update(masterToken).digest('hex'),
    encryptionKeys: await keep(join(folder, 'encryption-keys'), 'base64url'),
  };
}

async function keep(file: string, encoding: BufferEncoding): Promise<string> {
  const fresh = randomBytes(32).toString(encoding);
  // An existing file wins.
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
  return readFile(file, 'utf8');
}
