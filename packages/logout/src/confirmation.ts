import type { ReplayStore } from '@vestibule/client-auth';
import { type Digest, type Digester, requireEveryKey, sha256 } from '@vestibule/crypto';
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

/** What confirmations take. */
export interface ConfirmationDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly digester: Pick<Digester, 'digest' | 'matches' | 'hasEveryKey'>;
  /** Knows which confirmations were used, on whatever instance. */
  readonly replays: ReplayStore;
}

/** What an end-user is asked: about which session, on whose request. */
export interface Question {
  readonly session: SessionIdentity;
  readonly request: LogoutRequest;
}

/**
 * What an answer is worth: it is the first one to this question, one that was given before, one to a question of more
 * than ten minutes ago, or not one to this question at all, because the login has changed or nobody asked.
 */
export type ConfirmationStanding = 'fresh' | 'used' | 'expired' | 'foreign';

/** How long an end-user may think, in seconds. */
export const CONFIRMATION_LIFETIME_SECONDS = 600;

const NONCE_BYTES = 16;

/**
 * A confirmation: what has to come back with the end-user's answer, which nobody else can make. It is worth something
 * for this session and this request alone, once, and for ten minutes.
 */
export function issueConfirmation({ clock, random, digester }: ConfirmationDeps, question: Question): string {
  const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString('base64url');
  const expiresAt = epochSeconds(nowSeconds(clock) + CONFIRMATION_LIFETIME_SECONDS);
  const digest = digester.digest('logout-confirmation', contentOf(question, nonce, expiresAt));
  return [nonce, expiresAt, Buffer.from(digest).toString('base64url')].join('.');
}

const FORM = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * Uses up a confirmation. Of any number of parallel calls, on any number of instances, one is `fresh`.
 * @throws DomainError `server_error` when it cannot be told whether it was used before
 * @throws KeyEncryptionError when it is not one to this question, and may be under a key for digests that cannot be
 *   opened
 */
export async function redeemConfirmation(
  { clock, digester, replays }: ConfirmationDeps,
  confirmation: string,
  question: Question,
): Promise<ConfirmationStanding> {
  const [, nonce = '', expiry = '', given = ''] = FORM.exec(confirmation) ?? [];
  const expiresAt = Number(expiry);
  if (nonce === '' || !isEpochSeconds(expiresAt)) return 'foreign';
  const digest = Uint8Array.from(Buffer.from(given, 'base64url')) as Uint8Array as Digest;
  const isOurs = digester.matches('logout-confirmation', contentOf(question, nonce, expiresAt), digest);
  requireEveryKey(isOurs || digester.hasEveryKey());
  if (!isOurs) return 'foreign';
  if (nowSeconds(clock) >= expiresAt) return 'expired';
  // By what was digested: what decodes to the same digest may be spelt in several ways.
  const outcome = await replays.recordUse(sha256(`logout-confirmation\0${nonce}`), expiresAt);
  if (outcome === 'unavailable')
    throw new DomainError('server_error', 'Nobody can tell whether the answer was given before');
  return outcome === 'fresh' ? 'fresh' : 'used';
}

function contentOf({ session, request }: Question, nonce: string, expiresAt: EpochSeconds): string {
  return JSON.stringify([nonce, expiresAt, session.id, session.subject, requestText(request)]);
}
