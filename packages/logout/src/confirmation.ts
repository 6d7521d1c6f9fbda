import type { ReplayStore } from '@vestibule/client-auth/assertions';
import { sha256 } from '@vestibule/crypto';
import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import {
  type Clock,
  DomainError,
  type EpochSeconds,
  epochSeconds,
  isEpochSeconds,
  nowSeconds,
  type RandomSource,
} from '@vestibule/protocol';
import { type LogoutRequest, requestText } from './logout-request.js';
import type { SessionIdentity } from './logout-sessions.js';

/** Dependencies of confirmations. */
export interface ConfirmationDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly digester: Pick<Digester, 'digest' | 'matches'>;
  /** Records used confirmations across all instances. */
  readonly replays: ReplayStore;
}

/** The session and the request that an end-user is asked to confirm. */
export interface ConfirmationSubject {
  readonly session: SessionIdentity;
  readonly request: LogoutRequest;
}

/**
 * Whether a confirmation counts: it is valid and unused (`fresh`), was used before, was issued more than ten minutes
 * ago, or was not issued for this session and request, because the session has changed or no confirmation was requested.
 */
export type ConfirmationStatus = 'fresh' | 'used' | 'expired' | 'foreign';

/** Lifetime of a confirmation, in seconds. */
export const CONFIRMATION_LIFETIME_SECONDS = 600;

const NONCE_BYTES = 16;

/**
 * Issues a confirmation, which must come back with the end-user's decision. It cannot be forged, and is valid for this
 * session and this request only, once, and for ten minutes.
 */
export function issueConfirmation(
  { clock, random, digester }: ConfirmationDeps,
  subject: ConfirmationSubject,
): string {
  const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString('base64url');
  const expiresAt = epochSeconds(nowSeconds(clock) + CONFIRMATION_LIFETIME_SECONDS);
  const digest = digester.digest('logout-confirmation', contentOf(subject, nonce, expiresAt));
  return [nonce, expiresAt, Buffer.from(digest).toString('base64url')].join('.');
}

const FORM = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * Redeems a confirmation. Of any number of parallel calls, on any number of instances, one gets `fresh`.
 * @throws DomainError `server_error` if it is unknown whether the confirmation was used before
 * @throws KeyEncryptionError if the confirmation does not match, and may have been issued under a digest key that
 * cannot be decrypted
 */
export async function redeemConfirmation(
  { clock, digester, replays }: ConfirmationDeps,
  confirmation: string,
  subject: ConfirmationSubject,
): Promise<ConfirmationStatus> {
  const [, nonce = '', expiry = '', given = ''] = FORM.exec(confirmation) ?? [];
  const expiresAt = Number(expiry);
  if (nonce === '' || !isEpochSeconds(expiresAt)) return 'foreign';
  const digest = Uint8Array.from(Buffer.from(given, 'base64url')) as Uint8Array as Digest;
  const isOurs = digester.matches('logout-confirmation', contentOf(subject, nonce, expiresAt), digest);
  if (!isOurs) return 'foreign';
  if (nowSeconds(clock) >= expiresAt) return 'expired';
  // Recorded under the digest of the nonce: the same bytes can be encoded in several ways.
  const outcome = await replays.recordUse(sha256(`logout-confirmation\0${nonce}`), expiresAt);
  if (outcome === 'unavailable')
    throw new DomainError('server_error', 'it is unknown whether the confirmation was used before');
  return outcome === 'fresh' ? 'fresh' : 'used';
}

function contentOf(
  { session, request }: ConfirmationSubject,
  nonce: string,
  expiresAt: EpochSeconds,
): string {
  return JSON.stringify([nonce, expiresAt, session.id, session.subject, requestText(request)]);
}
