import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secrets of the services under test; they outlive a run because what lies in the database is encrypted with them.
 */
export interface LocalSecrets {
  readonly masterToken: string;
  readonly masterTokenSha256: string;
  readonly encryptionKeys: string;
}

/** Reads the secrets of a folder, and makes them where there are none. */
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
  // The one that is there wins.
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
  return readFile(file, 'utf8');
}
