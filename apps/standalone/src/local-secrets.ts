import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { randomAlphanumeric, secureRandom, sha256 } from '@vestibule/crypto';
import { type Environment, StartError } from '@vestibule/service-kit';

/** The secrets of a local installation. */
export interface LocalSecrets {
  /** The data folder, absolute. */
  readonly folder: string;
  /** Settings that name the generated secrets; empty where everything is configured. */
  readonly environment: Environment;
  /** The file that holds the master token; absent when one is configured. */
  readonly masterTokenFile: string | undefined;
}

const MASTER_TOKEN_LENGTH = 43;

/**
 * Makes the secrets that the environment does not give, at the first start, in files that only this user can read.
 * Processes that start side by side over one folder get the same ones; a file is there complete or not at all.
 *
 * @throws StartError when the folder cannot be used.
 */
export function prepareLocalSecrets(dataFolder: string, environment: Environment): LocalSecrets {
  const folder = resolve(dataFolder);
  const hasMasterToken = environment.MASTER_TOKEN_SHA256 !== undefined;
  const hasKeys = environment.ENCRYPTION_KEYS !== undefined || environment.ENCRYPTION_KEYS_FILE !== undefined;
  const keysFile = join(folder, 'encryption-keys');
  const masterTokenFile = join(folder, 'master-token');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!hasKeys) keepSecret(keysFile, () => randomBytes(32).toString('base64url'));
    const masterToken = hasMasterToken
      ? undefined
      : keepSecret(masterTokenFile, () => randomAlphanumeric(MASTER_TOKEN_LENGTH, secureRandom));
    return {
      folder,
      environment: {
        ...(!hasKeys && { ENCRYPTION_KEYS_FILE: keysFile }),
        ...(masterToken !== undefined && {
          MASTER_TOKEN_SHA256: Buffer.from(sha256(masterToken)).toString('hex'),
        }),
      },
      masterTokenFile: hasMasterToken ? undefined : masterTokenFile,
    };
  } catch (error) {
    throw new StartError(`The data folder ${folder} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
}

/** The secret in a file, made now where there is none. */
function keepSecret(file: string, make: () => string): string {
  if (!existsSync(file)) {
    // Written aside first: a crash in between, or somebody else who is faster, leaves nothing half-made.
    const draft = `${file}.${process.pid}.new`;
    writeFileSync(draft, `${make()}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, 'utf8').trimEnd();
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'there is a file of that name',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return REASONS[code] ?? `the system says ${code}`;
}
