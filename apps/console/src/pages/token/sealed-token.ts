import { sha256 } from '@vestibule/crypto';
import type { AssociatedData, Encryptor } from '@vestibule/crypto/data-keys';
import { DecryptionError } from '@vestibule/crypto/jwt';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { Visit } from '../../frame/visit.js';

/** How long a page about a token can be worked on, in seconds. */
export const SEALED_TOKEN_SECONDS = 600;

/** Dependencies of sealed tokens. */
export interface SealedTokenDeps {
  readonly encryptor: Encryptor;
  readonly clock: Clock;
}

interface Content {
  readonly token: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Encrypts a pasted token for the forms of its page, so that neither the page nor its address contains the token. It
 * can be opened in the same session of the console only, for {@link SEALED_TOKEN_SECONDS}.
 */
export function sealToken(
  { encryptor, clock }: SealedTokenDeps,
  visit: Pick<Visit, 'formToken'>,
  token: string,
): Promise<string> {
  const content: Content = { token, expiresAt: nowSeconds(clock) + SEALED_TOKEN_SECONDS };
  return encryptor.encrypt(JSON.stringify(content), associatedData(visit));
}

/** Opens what {@link sealToken} made; `undefined` if it is of another session, too old, or anything else. */
export async function openToken(
  { encryptor, clock }: SealedTokenDeps,
  visit: Pick<Visit, 'formToken'>,
  sealed: string,
): Promise<string | undefined> {
  try {
    // Nothing else can be opened with these associated data.
    const { token, expiresAt } = JSON.parse(await encryptor.open(sealed, associatedData(visit))) as Content;
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
