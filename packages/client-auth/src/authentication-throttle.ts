import { type Clock, DomainError } from '@vestibule/protocol';
import { type FailureBudget, failureBudget } from './failure-budget.js';
import { InvalidClientError, UnknownClientError } from './invalid-client-error.js';
import { recentEntries } from './recent-entries.js';
import { turns } from './turns.js';

/** An attempt to prove who calls, of which nothing has been verified. */
export interface AuthenticationAttempt {
  readonly kind: 'client' | 'token';
  /** Where it came from. */
  readonly network: string;
  /** Whom it names: a client, or by a digest the access token that it presents. */
  readonly identity: string;
  /** A digest of the credential; absent for one that is good for a single use. */
  readonly credential?: string | undefined;
  /** Whether judging it takes next to nothing once the client is known. */
  readonly isCheap: boolean;
}

/** Judges an attempt; a suspect one without asking anybody for more than the client. */
export type Judge<Proven> = (isSuspect: boolean) => Promise<Proven>;

/** Bounds what failed attempts cost: look-ups, signatures, key sets of others. */
export interface AuthenticationThrottle {
  /**
   * Judges an attempt unless too many like it have failed.
   * @throws DomainError `too_many_requests` in place of judging it, or of what is wrong with a suspect one; what
   *   `judge` throws
   */
  guard<Proven>(attempt: AuthenticationAttempt, judge: Judge<Proven>): Promise<Proven>;
}

/** How an attempt ended. */
export type AuthenticationOutcome =
  | 'proven'
  | 'unknown_client'
  | 'wrong_credential'
  | 'dead_token'
  | 'throttled';

/** What a throttle is made of. */
export interface AuthenticationThrottleOptions {
  readonly clock: Clock;
  /** How often one client may fail in a minute from one network, and how many clients may. */
  readonly perMinute: number;
  readonly onOutcome?: (outcome: AuthenticationOutcome) => void;
}

const MINUTE_MS = 60_000;
/** How many of each kind are remembered: some megabytes altogether. */
const MAX_REMEMBERED = 10_000;
/** How many newcomers of one network are judged at once; the others wait to see how those fare. */
const NEWCOMERS_AT_ONCE = 4;

/** Somebody who failed. */
interface Failure {
  /** Until when the network has paid for it. */
  readonly paidUntilMs: number;
  readonly exists: boolean;
}

/**
 * A throttle of this process alone. Whoever fails too often from one network is refused there, and so is everybody from
 * a network where too many different ones failed. Whether they exist makes no difference to either, so that it does not
 * show.
 *
 * Nobody pays for others: a credential that proved itself lately is judged in any case, whoever proved itself from the
 * network lately is not refused for what others of the network do, and a secret of a client that exists is compared in
 * any case. What is left are newcomers behind an address that they share with an attacker, and assertions and
 * certificates of a client under whose name somebody else fails there: nothing tells them apart before they are judged.
 */
export function authenticationThrottle(options: AuthenticationThrottleOptions): AuthenticationThrottle {
  const { clock, onOutcome = () => {} } = options;
  const budget = { ...options, maxSubjects: MAX_REMEMBERED };
  const identities = failureBudget(budget);
  const networks = failureBudget(budget);
  const failures = recentEntries<Failure>(MAX_REMEMBERED);
  const provenHere = recentEntries<true>(MAX_REMEMBERED);
  const provenCredentials = recentEntries<true>(MAX_REMEMBERED);
  const newcomers = turns(NEWCOMERS_AT_ONCE);

  /** Whether the attempt is suspect. @throws ThrottledAuthenticationError when it is not even judged */
  const admit = ({ network, identity, credential, isCheap }: AuthenticationAttempt): boolean => {
    if (credential !== undefined && provenCredentials.get(credential)) return false;
    if (identities.waitMs(identity) > 0) {
      if (isCheap && failures.get(identity)?.exists === true) return true;
      throw tooMany(identities, identity);
    }
    if (!provenHere.get(identity) && networks.waitMs(network) > 0) throw tooMany(networks, network);
    return false;
  };
  const noteProven = ({ identity, credential }: AuthenticationAttempt): void => {
    provenHere.set(identity, true);
    if (credential !== undefined) provenCredentials.set(credential, true);
  };
  const noteFailure = ({ identity, network, credential }: AuthenticationAttempt, exists: boolean): void => {
    if (credential !== undefined) provenCredentials.delete(credential);
    identities.spend(identity);
    const nowMs = clock.nowMs();
    const { paidUntilMs = 0 } = failures.get(identity) ?? {};
    const isPaid = nowMs < paidUntilMs && paidUntilMs <= nowMs + MINUTE_MS;
    if (!isPaid) networks.spend(network);
    failures.set(identity, { exists, paidUntilMs: isPaid ? paidUntilMs : nowMs + MINUTE_MS });
  };
  const judged = async <Proven>(named: AuthenticationAttempt, judge: Judge<Proven>): Promise<Proven> => {
    const isSuspect = admit(named);
    try {
      const proven = await judge(isSuspect);
      noteProven(named);
      onOutcome('proven');
      return proven;
    } catch (error) {
      if (!(error instanceof InvalidClientError)) throw error;
      noteFailure(named, !(error instanceof UnknownClientError));
      if (isSuspect) throw tooMany(identities, named.identity);
      onOutcome(outcomeOf(named, error));
      throw error;
    }
  };
  return {
    guard: async (attempt, judge) => {
      const named = counted(attempt);
      try {
        if (provenHere.get(named.identity)) return await judged(named, judge);
        admit(named);
        await newcomers.enter(named.network);
        // Who proved itself meanwhile needs no turn.
        const isNewcomer = provenHere.get(named.identity) === undefined;
        if (!isNewcomer) newcomers.leave(named.network);
        try {
          return await judged(named, judge);
        } finally {
          if (isNewcomer) newcomers.leave(named.network);
        }
      } catch (error) {
        if (error instanceof ThrottledAuthenticationError) onOutcome('throttled');
        throw error;
      }
    },
  };
}

/**
 * The names that an attempt is counted by: an identity counts where it comes from, and tokens do not count with
 * clients.
 */
function counted(attempt: AuthenticationAttempt): AuthenticationAttempt {
  const network = `${attempt.kind} ${attempt.network}`;
  return { ...attempt, network, identity: `${network} ${attempt.identity}` };
}

function outcomeOf({ kind }: AuthenticationAttempt, error: InvalidClientError): AuthenticationOutcome {
  if (kind === 'token') return 'dead_token';
  return error instanceof UnknownClientError ? 'unknown_client' : 'wrong_credential';
}

function tooMany(budget: FailureBudget, subject: string): ThrottledAuthenticationError {
  return new ThrottledAuthenticationError(budget.waitMs(subject) / 1000);
}

/** Too many failures, with the time after which another attempt is judged. */
class ThrottledAuthenticationError extends DomainError {
  /** Whole seconds, at least 1: the value of `Retry-After` (RFC 9110 section 10.2.3). */
  readonly retryAfterSeconds: number;

  constructor(seconds: number) {
    const detail = 'too many failed client authentications';
    super('too_many_requests', 'Too many requests, try again later', { detail });
    this.retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  }
}
