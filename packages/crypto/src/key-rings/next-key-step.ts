import { currentDataKey } from '../data-keys/data-key.js';
import { DATA_KEY_SETTLE_MS } from '../data-keys/data-key-rotation.js';
import type { WrappedDataKey } from '../data-keys/data-key-store.js';
import { signingKeyOverlapSeconds } from '../signing-keys/signing-key-management.js';
import type { KeySetName } from '../signing-keys/signing-key-store.js';
import type { ListedKey } from './listed-key.js';

/** What comes next for a key; times in milliseconds since the Unix epoch. */
export type KeyStep =
  /** A pending key can be activated from then on: every reader has it. */
  | { readonly step: 'activate'; readonly fromMs: number }
  /** A previous digest key can be retired from then on: no process writes under it. */
  | { readonly step: 'retire'; readonly fromMs: number }
  /** A retired key pair is no longer published from then on. */
  | { readonly step: 'leave'; readonly atMs: number }
  /** Nothing before another key of its purpose is activated. */
  | { readonly step: 'stay' }
  /** Nothing any more. */
  | { readonly step: 'none' };

/**
 * Says what comes next for a key, by the same waits that its change checks.
 * @param keys every key of the store
 * @param cachedSeconds how long copies of a published key set may be cached, in seconds
 */
export function nextKeyStep(
  listed: ListedKey,
  keys: readonly ListedKey[],
  cachedSeconds: (keySet: KeySetName) => number,
): KeyStep {
  if (listed.key.state === 'active') return { step: 'stay' };
  if (listed.kind === 'data') return nextDataKeyStep(listed.key, keys);
  const { keySet, state, createdAt, expiresAt } = listed.key;
  if (state === 'pending')
    return {
      step: 'activate',
      fromMs: (createdAt + signingKeyOverlapSeconds(cachedSeconds(keySet))) * 1000,
    };
  return expiresAt === undefined ? { step: 'none' } : { step: 'leave', atMs: expiresAt * 1000 };
}

function nextDataKeyStep(key: WrappedDataKey, keys: readonly ListedKey[]): KeyStep {
  if (key.state === 'retired') return { step: 'none' };
  const ofPurpose = keys.flatMap((other) =>
    other.kind === 'data' && other.key.purpose === key.purpose ? [other.key] : [],
  );
  const { activatedAtMs, createdAtMs } = currentDataKey(ofPurpose);
  // A digest key that was replaced is pending again until it is retired by hand.
  return key.createdAtMs < createdAtMs
    ? { step: 'retire', fromMs: (activatedAtMs ?? createdAtMs) + DATA_KEY_SETTLE_MS }
    : { step: 'activate', fromMs: key.createdAtMs + DATA_KEY_SETTLE_MS };
}
