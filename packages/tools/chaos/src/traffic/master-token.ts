import { createHash, randomBytes } from 'node:crypto';

/** The settings that accept these master tokens. */
export function masterSettings(...tokens: readonly string[]): Readonly<Record<string, string>> {
  const digests = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  return { MASTER_TOKEN_SHA256: digests.join(',') };
}

/** A new, unique master token. */
export function freshMasterToken(): string {
  return randomBytes(32).toString('hex');
}
