import { networkOf } from '@vestibule/http';
import { ThrottledError } from '@vestibule/protocol';
import type { RateLimit, RateLimitStore } from '@vestibule/protocol/rate-limits';
import type { Operator } from '../frame/operator.js';

/** The limits of the console. */
export interface ConsoleLimits {
  /**
   * Counts a request of the login from an address.
   * @throws ThrottledError if its network has sent too many
   */
  admitLogin(address: string): Promise<void>;
  /**
   * Counts a page, or a stream of live figures, that a person opens.
   * @throws ThrottledError if there are too many
   */
  admitPage(operator: Operator): Promise<void>;
  /**
   * Counts an action of a person.
   * @throws ThrottledError if there are too many
   */
  admitAction(operator: Operator): Promise<void>;
  /**
   * Counts a request of a person for which the role does not suffice, and which is recorded.
   * @throws ThrottledError if there are too many
   */
  admitRefusal(operator: Operator): Promise<void>;
  /**
   * Counts an export of audit events by a person, which is recorded.
   * @throws ThrottledError if there are too many
   */
  admitExport(operator: Operator): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A login has two requests. Colleagues may share a network. */
const LOGINS: RateLimit = { name: 'console-login', limit: 120, windowMs: MINUTE_MS };
/** Ten a second, which no person clicks. */
const PAGES: RateLimit = { name: 'console-page', limit: 600, windowMs: MINUTE_MS };
const ACTIONS: RateLimit = { name: 'console-action', limit: 120, windowMs: MINUTE_MS };
const REFUSALS: RateLimit = { name: 'console-refusal', limit: 30, windowMs: MINUTE_MS };
const EXPORTS: RateLimit = { name: 'console-export', limit: 20, windowMs: HOUR_MS };

/**
 * @param store counters
 * @param isEnabled whether rate limits are on. What is recorded is limited in any case: audit events cannot be deleted.
 */
export function consoleLimits(store: RateLimitStore, isEnabled: boolean): ConsoleLimits {
  const count = async (limit: RateLimit, subject: string) => {
    const counted = await store.count(limit, subject);
    if (counted.outcome === 'exceeded') throw new ThrottledError(counted.retryAfterSeconds, limit.name);
  };
  const admit = async (limit: RateLimit, subject: string) => {
    if (isEnabled) await count(limit, subject);
  };
  return {
    admitLogin: (address) => admit(LOGINS, networkOf(address)),
    admitPage: ({ subject }) => admit(PAGES, subject),
    admitAction: ({ subject }) => admit(ACTIONS, subject),
    admitRefusal: ({ subject }) => count(REFUSALS, subject),
    admitExport: ({ subject }) => count(EXPORTS, subject),
  };
}
