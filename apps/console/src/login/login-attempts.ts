import { randomAlphanumeric } from '@vestibule/crypto';
import type { AssociatedData, Encryptor } from '@vestibule/crypto/data-keys';
import { DecryptionError } from '@vestibule/crypto/jwt';
import type { Request } from '@vestibule/http';
import { type Clock, nowSeconds, type RandomSource } from '@vestibule/protocol';
import type { UpstreamAttempt } from '@vestibule/service/upstream';
import { cookieStyle, cookiesOf } from './cookies.js';

/** A login that began in a browser. */
export interface LoginAttempt extends UpstreamAttempt {
  /** Path and query of the page to show after it. */
  readonly to: string;
}

/** What a login was asked for. */
export interface LoginWish {
  readonly to: string;
  /** Whether the person must log in anew at the provider, as another one for example. */
  readonly isFresh: boolean;
}

/** The logins that have begun, each in a cookie of its own, so that several tabs can log in at the same time. */
export interface LoginAttempts {
  /** Begins a login. @returns the attempt, and the values of `Set-Cookie` */
  begin(request: Request, wish: LoginWish): Promise<{ attempt: LoginAttempt; cookies: readonly string[] }>;
  /**
   * Finds the attempt that a response of the provider belongs to; `undefined` unless it began in this browser in the last
   * ten minutes.
   */
  find(request: Request, state: string | null): Promise<LoginAttempt | undefined>;
  /** The value of `Set-Cookie` that ends an attempt. */
  ended(state: string): string;
}

/** Dependencies of {@link loginAttempts}. */
export interface LoginAttemptsDeps {
  readonly encryptor: Encryptor;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Whether browsers reach the console by https. */
  readonly isSecure: boolean;
}

const LIFETIME_SECONDS = 600;
/** More logins at a time would make the request headers too large. */
const MAX_ATTEMPTS = 5;
const SECRET_LENGTH = 43;
const SUFFIX_LENGTH = 6;
/** Begins with the time of the attempt, so that the names of cookies sort by it, and is as long as all others. */
const STATE = /^(?<id>[0-9a-z]{8}[A-Za-z0-9]{6})[A-Za-z0-9]{37}$/;

/** Creates the attempts, whose cookies are encrypted: `nonce` and PKCE verifier are unreadable even in the browser. */
export function loginAttempts({ encryptor, clock, random, isSecure }: LoginAttemptsDeps): LoginAttempts {
  const { name, attributes } = cookieStyle(isSecure);
  const prefix = name('vestibule_console_login_');
  const deletion = (cookie: string) => `${cookie}=; Max-Age=0; ${attributes}`;
  const secret = () => randomAlphanumeric(SECRET_LENGTH, random);
  return {
    begin: async (request, { to, isFresh }) => {
      const startedAt = nowSeconds(clock);
      const id = startedAt.toString(36).padStart(8, '0') + randomAlphanumeric(SUFFIX_LENGTH, random);
      const attempt: LoginAttempt = {
        state: id + secret().slice(SUFFIX_LENGTH),
        nonce: secret(),
        verifier: secret(),
        startedAt,
        to,
        // The provider then asks for the login, and states when it happened.
        ...(isFresh && { maxAgeSeconds: 0 }),
      };
      const value = await encryptor.encrypt(JSON.stringify(attempt), associatedData(id));
      const earlier = [...cookiesOf(request).keys()].filter((cookie) => cookie.startsWith(prefix)).sort();
      const excess = earlier.slice(0, Math.max(0, earlier.length - (MAX_ATTEMPTS - 1)));
      return {
        attempt,
        cookies: [
          `${prefix}${id}=${value}; Max-Age=${LIFETIME_SECONDS}; ${attributes}`,
          ...excess.map(deletion),
        ],
      };
    },
    find: async (request, state) => {
      const id = STATE.exec(state ?? '')?.groups?.['id'];
      const value = id === undefined ? undefined : cookiesOf(request).get(prefix + id);
      if (id === undefined || value === undefined || value === '') return undefined;
      const attempt = await opened(encryptor, id, value);
      const isAlive = attempt !== undefined && attempt.startedAt + LIFETIME_SECONDS > nowSeconds(clock);
      return isAlive && attempt.state === state ? attempt : undefined;
    },
    ended: (state) => deletion(prefix + (STATE.exec(state)?.groups?.['id'] ?? '')),
  };
}

async function opened(encryptor: Encryptor, id: string, value: string): Promise<LoginAttempt | undefined> {
  try {
    // The content was written by `begin`: nothing else can be opened with these associated data.
    return JSON.parse(await encryptor.open(value, associatedData(id))) as LoginAttempt;
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}

/** No stored row has these, and the cookie of one attempt cannot be taken for another one. */
function associatedData(id: string): AssociatedData {
  return { table: 'console', column: 'login cookie', row: id };
}
