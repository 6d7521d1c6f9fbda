import { sha256 } from '@vestibule/crypto';
import type { AssociatedData, Encryptor } from '@vestibule/crypto/data-keys';
import { DecryptionError } from '@vestibule/crypto/jwt';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { Visit } from '../../frame/visit.js';

/** How long a pasted token can be worked on, in seconds: then it must be pasted again, however often it was looked at. */
export const PASTED_TOKEN_SECONDS = 600;

/** Dependencies of encrypted tokens. */
export interface EncryptedTokenDeps {
  readonly encryptor: Encryptor;
  readonly clock: Clock;
}

interface Content {
  readonly token: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Encrypts a token that was just pasted for the forms of its page, so that neither the page nor its address contains the
 * token. The text can be decrypted in the same session of the console only, for {@link PASTED_TOKEN_SECONDS}. Later pages
 * repeat it: encrypting the token again would prolong that.
 */
export function encryptToken(
  { encryptor, clock }: EncryptedTokenDeps,
  visit: Pick<Visit, 'formToken'>,
  token: string,
): Promise<string> {
  const content: Content = { token, expiresAt: nowSeconds(clock) + PASTED_TOKEN_SECONDS };
  return encryptor.encrypt(JSON.stringify(content), associatedData(visit));
}

/** Decrypts what {@link encryptToken} made; `undefined` if it is of another session, too old, or anything else. */
export async function decryptToken(
  { encryptor, clock }: EncryptedTokenDeps,
  visit: Pick<Visit, 'formToken'>,
  encrypted: string,
): Promise<string | undefined> {
  try {
    // Nothing else can be decrypted with these associated data.
    const { token, expiresAt } = JSON.parse(
      await encryptor.open(encrypted, associatedData(visit)),
    ) as Content;
    return expiresAt > nowSeconds(clock) ? token : undefined;
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}

/** No stored row has these. */
function associatedData({ formToken }: Pick<Visit, 'formToken'>): AssociatedData {
  return { table: 'console', column: 'pasted token', row: Buffer.from(sha256(formToken)).toString('hex') };
}
