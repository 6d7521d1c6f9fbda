import type { Clock } from '@vestibule/protocol';

/** Longest wait: a day. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads `Retry-After`, seconds or an HTTP date (RFC 9110 section 10.2.3).
 *
 * @returns whole seconds from now, between 0 and a day; `undefined` when the header is missing or malformed.
 */
export function parseRetryAfter(value: unknown, clock: Clock): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,15}$/.test(value)) return Math.min(Number(value), MAX_RETRY_AFTER_SECONDS);
  const dateMs = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(dateMs)) return undefined;
  const seconds = Math.ceil((dateMs - clock.nowMs()) / 1000);
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}
