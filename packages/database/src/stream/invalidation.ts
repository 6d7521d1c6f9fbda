import { isJsonObject } from '@vestibule/protocol/json';
import type { Invalidation } from '@vestibule/tokens/cache';

/** The channel that the triggers of the database notify. */
export const STATE_CHANNEL = 'vestibule_state';

const EVERYTHING: Invalidation = { kind: 'everything' };
/** SHA-256 in base64. */
const NAME = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Parses a message of the state channel. An unknown message, such as one of a later version, invalidates everything.
 */
export function parseInvalidation(payload: string | undefined): Invalidation {
  const message = parseObject(payload ?? '');
  if (message === undefined || message['v'] !== 1) return EVERYTHING;
  if (isTags(message['d'])) return { kind: 'tokens', digests: message['d'] };
  if (isTags(message['k'])) return { kind: 'entities', tags: message['k'] };
  return EVERYTHING;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTags(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && NAME.test(name));
}
