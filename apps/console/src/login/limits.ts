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
   * Counts an action of a person.
   * @throws ThrottledError if there are too many
   */
  admitAction(operator: Operator): Promise<void>;
  /**
   * Counts a request of a person for which the role does not suffice, and which is recorded.
   * @throws ThrottledError if there are too many
   */
  admitRefusal(operator: Operator): Promise<void>;
}

const MINUTE_MS = 60_000;
/** A login has two requests. Colleagues may share a network. */
const LOGINS: RateLimit = { name: 'console-login', limit: 120, windowMs: MINUTE_MS };
const ACTIONS: RateLimit = { name: 'console-action', limit: 120, windowMs: MINUTE_MS };
const REFUSALS: RateLimit = { name: 'console-refusal', limit: 30, windowMs: MINUTE_MS };

/** @param store counters; absent if rate limits are off */
export function consoleLimits(store: RateLimitStore | undefined): ConsoleLimits {
  const admit = async (limit: RateLimit, subject: string) => {
    const counted = await store?.count(limit, subject);
    if (counted?.outcome === 'exceeded') throw new ThrottledError(counted.retryAfterSeconds, limit.name);
  };
  return {
    admitLogin: (address) => admit(LOGINS, networkOf(address)),
    admitAction: ({ subject }) => admit(ACTIONS, subject),
    admitRefusal: ({ subject }) => admit(REFUSALS, subject),
  };
}
