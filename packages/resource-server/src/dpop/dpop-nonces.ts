import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from '@vestibule/protocol';

/** Nonces of the API for DPoP proofs (RFC 9449 section 9). */
export interface DpopNonces {
  /** The nonce that new proofs shall have; sent with a refusal, and to be sent with responses. */
  current(): string;
  /** Whether a proof with this nonce is accepted. */
  isAccepted(nonce: string | undefined): boolean;
}

/** Settings of {@link rotatingDpopNonces}. */
export interface RotatingNoncesOptions {
  /** At least 32 random bytes, the same on all instances of the API. */
  readonly key: Uint8Array;
  /** How long a nonce is handed out. It is accepted for as long again. Default 60. */
  readonly periodSeconds?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

const MIN_KEY_BYTES = 32;

/**
 * Derives a nonce for each period from a key, so that instances need no shared store.
 * @throws TypeError when the key is too short or the period is not positive
 */
export function rotatingDpopNonces({
  key,
  periodSeconds = 60,
  clock = systemClock,
}: RotatingNoncesOptions): DpopNonces {
  if (key.byteLength < MIN_KEY_BYTES) throw new TypeError('key: must have at least 32 bytes');
  if (!(periodSeconds > 0)) throw new TypeError('periodSeconds: must be positive');
  const nonceOf = (period: number) => createHmac('sha256', key).update(`dpop-nonce ${period}`).digest();
  const period = () => Math.floor(clock.nowMs() / 1000 / periodSeconds);
  return {
    current: () => nonceOf(period()).toString('base64url'),
    isAccepted: (nonce) => {
      const presented = Buffer.from(nonce ?? '', 'base64url');
      return [period(), period() - 1].some((each) => {
        const expected = nonceOf(each);
        return presented.length === expected.length && timingSafeEqual(presented, expected);
      });
    },
  };
}
