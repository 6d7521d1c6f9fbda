import type { RateLimitStore } from '@vestibule/clients';
import type { Scheduler } from '@vestibule/tokens';

/** Slows down those who try again and again to prove that they are a caller (RFC 6749 section 2.3.1). */
export interface RefusalBrake {
  /** Resolves when the next refusal may be sent. */
  release(): Promise<void>;
}

/** What a brake is made of. */
export interface RefusalBrakeOptions {
  readonly store: RateLimitStore;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Refusals in a minute that are sent at once, which are also the most at one moment. */
  readonly perMinute: number;
  /** A number from 0 up to 1, not foreseen. */
  readonly random: () => number;
}

const MINUTE_MS = 60_000;
const LEAST_HOLD_MS = 500;
/** Spread, so that those who were refused at one moment do not come back at one moment. */
const HOLD_SPREAD_MS = 1_000;
/** Who it was makes no difference, so that it shows nothing of anybody, and changing names does not help. */
const EVERYBODY = 'everybody';

/**
 * A brake of one process. Nobody is locked out: every credential is judged, whoever else fails, and a right one passes
 * at once. Only refusals are held, each by itself from half a second to one and a half, so that a connection on which
 * nothing but failures comes brings about one in a second, or as many as a server lets it have unanswered when it sends
 * them without waiting.
 */
export function refusalBrake({ store, scheduler, perMinute, random }: RefusalBrakeOptions): RefusalBrake {
  const limit = { name: 'refused-callers', limit: perMinute, windowMs: MINUTE_MS };
  return {
    release: async () => {
      const { outcome } = await store.count(limit, EVERYBODY);
      if (outcome !== 'exceeded') return;
      const holdMs = LEAST_HOLD_MS + Math.floor(random() * HOLD_SPREAD_MS);
      await new Promise<void>((resolve) => scheduler.after(holdMs, resolve));
    },
  };
}
