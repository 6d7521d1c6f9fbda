import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import type { DocumentRecord } from './document-record.js';
import type { DocumentCaching } from './document-source.js';

/** The lifetime of a document without caching headers, within the bounds. */
const DEFAULT_SECONDS = 3_600;

/** A used document is validated in the background in the last part of its lifetime. */
const RENEWAL_PART = 0.2;

interface LifetimeBounds {
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

/** Until when a document counts that was validated now (RFC 9111 section 4.2, within the operator's bounds). */
export function freshUntil(
  now: EpochSeconds,
  { lifetimeSeconds = DEFAULT_SECONDS }: DocumentCaching,
  { minSeconds, maxSeconds }: LifetimeBounds,
): EpochSeconds {
  return epochSeconds(now + Math.min(maxSeconds, Math.max(minSeconds, lifetimeSeconds)));
}

/** How a registered document may be used now. */
export type DocumentAge = 'fresh' | 'renewable' | 'stale' | 'outdated';

/** Determines how a document that registered a client may be used without validating it again. */
export function ageOf(
  { validatedAt, freshUntil: until }: DocumentRecord,
  now: EpochSeconds,
  staleSeconds: number,
): DocumentAge {
  if (validatedAt === undefined || until === undefined) return 'outdated';
  if (now >= until) return now < until + staleSeconds ? 'stale' : 'outdated';
  return now < until - (until - validatedAt) * RENEWAL_PART ? 'fresh' : 'renewable';
}
