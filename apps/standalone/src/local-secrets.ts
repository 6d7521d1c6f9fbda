import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { randomAlphanumeric, secureRandom, sha256 } from '@vestibule/crypto';
import { type Environment, StartError } from '@vestibule/service/settings';
import { loadOrCreateSecret, readSecret } from './secret-file.js';

/** The secrets of a local installation. */
export interface LocalSecrets {
  /** The data folder, absolute. */
  readonly folder: string;
  /** Settings with the generated secrets; empty if everything is configured. */
  readonly environment: Environment;
  /** The file of the master token; absent if one is configured. */
  readonly masterTokenFile: string | undefined;
  /** The file of the key-encryption keys; absent if they are configured. */
  readonly keysFile: string | undefined;
  /** The file of the secret of {@link FORWARD_AUTH_CLIENT}; absent without a routes file, or with another client. */
  readonly forwardAuthSecretFile: string | undefined;
}

/** The client with which forward authentication introspects, unless another one is configured. */
export const FORWARD_AUTH_CLIENT = 'forward-auth';

const SECRET_LENGTH = 43;
/** 32 bytes in base64url. */
const KEY_LENGTH = 43;

/** Placeholders for the secrets that would be created, so that all other settings can be validated before. */
export function placeholderSecrets(environment: Environment): Environment {
  return {
    ...(isKeyMissing(environment) && { ENCRYPTION_KEYS: makeKey() }),
    ...(isMasterTokenMissing(environment) && { MASTER_TOKEN_SHA256: '0'.repeat(64) }),
    ...(needsForwardAuthClient(environment) && {
      INTROSPECTION_CLIENT_ID: FORWARD_AUTH_CLIENT,
      INTROSPECTION_CLIENT_SECRET: '0'.repeat(SECRET_LENGTH),
    }),
  };
}

/**
 * Creates the secrets that the environment does not contain, at the first start, in files that only this user can read.
 * Processes that start in parallel over one folder get the same ones; a file is complete or absent.
 *
 * @throws StartError if the folder cannot be used, or a file in it does not contain its secret
 */
export function prepareLocalSecrets(dataFolder: string, environment: Environment): LocalSecrets {
  const folder = resolve(dataFolder);
  const keysFile = isKeyMissing(environment) ? join(folder, 'encryption-keys') : undefined;
  const masterTokenFile = isMasterTokenMissing(environment) ? join(folder, 'master-token') : undefined;
  const forwardAuthSecretFile = needsForwardAuthClient(environment)
    ? join(folder, 'forward-auth-secret')
    : undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (keysFile !== undefined) loadOrCreateSecret(keysFile, KEY_LENGTH, makeKey);
    if (forwardAuthSecretFile !== undefined)
      loadOrCreateSecret(forwardAuthSecretFile, SECRET_LENGTH, makeSecret);
    const masterToken = masterTokenFile && loadOrCreateSecret(masterTokenFile, SECRET_LENGTH, makeSecret);
    return {
      folder,
      environment: {
        ...(keysFile !== undefined && { ENCRYPTION_KEYS_FILE: keysFile }),
        ...(masterToken !== undefined && {
          MASTER_TOKEN_SHA256: digestOf(masterToken),
        }),
        ...(forwardAuthSecretFile !== undefined && {
          INTROSPECTION_CLIENT_ID: FORWARD_AUTH_CLIENT,
          INTROSPECTION_CLIENT_SECRET_FILE: forwardAuthSecretFile,
        }),
      },
      masterTokenFile,
      keysFile,
      forwardAuthSecretFile,
    };
  } catch (error) {
    throw unusable(folder, error);
  }
}

/**
 * Settings with the existing secrets of a data folder, for command line tools. Creates none: a new key-encryption key
 * would hide that the one of the database is lost.
 *
 * @throws StartError if a file does not contain its secret, or cannot be read
 */
export function existingLocalSecrets(folder: string, environment: Environment): Environment {
  const masterTokenFile = join(folder, 'master-token');
  const isMasterTokenMade = isMasterTokenMissing(environment) && existsSync(masterTokenFile);
  try {
    return {
      ...(isKeyMissing(environment) && { ENCRYPTION_KEYS_FILE: join(folder, 'encryption-keys') }),
      ...(isMasterTokenMade && {
        MASTER_TOKEN_SHA256: digestOf(readSecret(masterTokenFile, SECRET_LENGTH)),
      }),
    };
  } catch (error) {
    throw unusable(folder, error);
  }
}

function unusable(folder: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`The data folder ${folder} cannot be used: ${reasonOf(error)}.`, { cause: error });
}

function digestOf(masterToken: string): string {
  return Buffer.from(sha256(masterToken)).toString('hex');
}

function isKeyMissing({ ENCRYPTION_KEYS, ENCRYPTION_KEYS_FILE }: Environment): boolean {
  return ENCRYPTION_KEYS === undefined && ENCRYPTION_KEYS_FILE === undefined;
}

function isMasterTokenMissing({ MASTER_TOKEN_SHA256, MASTER_TOKEN_SHA256_FILE }: Environment): boolean {
  return MASTER_TOKEN_SHA256 === undefined && MASTER_TOKEN_SHA256_FILE === undefined;
}

function needsForwardAuthClient({ ROUTES_FILE, INTROSPECTION_CLIENT_ID }: Environment): boolean {
  return ROUTES_FILE !== undefined && INTROSPECTION_CLIENT_ID === undefined;
}

function makeKey(): string {
  return randomBytes(32).toString('base64url');
}

function makeSecret(): string {
  return randomAlphanumeric(SECRET_LENGTH, secureRandom);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no write permission',
  EPERM: 'this user has no write permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a file of that name exists',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return REASONS[code] ?? `system error ${code}`;
}
