import type { AssociatedData, Encryptor } from '@vestibule/crypto/data-keys';
import { DecryptionError } from '@vestibule/crypto/jwt';
import type { Request } from '@vestibule/http';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { Operator } from '../frame/operator.js';
import { cookieStyle, cookiesOf } from './cookies.js';

/** What the session cookie carries, encrypted: the whole session, since the console stores none. */
export interface SessionContent {
  /** Random, for its end. */
  readonly id: string;
  readonly operator: Operator;
  readonly formToken: string;
  /** The issuer of the ID token. */
  readonly issuer: string;
  /** `sid` of the ID token, if it has one. */
  readonly sid?: string;
  /** Whether the store contained the session `sid` at the login, so that its absence is its end. */
  readonly isStored: boolean;
  /** When the login was verified, in milliseconds since the epoch. */
  readonly loggedInAtMs: number;
  /** The ID token, for the logout at the authorization server; absent if it would not fit into a cookie. */
  readonly idToken?: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** The cookie of a set of settings. */
export interface SessionCookie {
  /** The header that sets it. */
  set(content: SessionContent): Promise<string>;
  /** The header that deletes it. */
  readonly deletion: string;
  /** What a request carries; `undefined` without a cookie that was made here and is not expired. */
  read(request: Request): Promise<SessionContent | undefined>;
}

/** Dependencies of {@link sessionCookie}. */
export interface SessionCookieDeps {
  readonly encryptor: Encryptor;
  readonly clock: Clock;
  /** Whether browsers reach the console by https. */
  readonly isSecure: boolean;
}

/** Browsers keep at least 4,096 bytes of a cookie with its attributes (RFC 6265 section 6.1). */
const MAX_LENGTH = 3_900;

/** No stored row has these, so that no other record can be taken for a session. */
const ASSOCIATED_DATA: AssociatedData = { table: 'console', column: 'session cookie', row: '' };

/**
 * Creates the session cookie: for the console's host alone, unreadable for scripts, and not sent with requests that
 * other sites start, except when they lead here (`SameSite=Lax`).
 */
export function sessionCookie({ encryptor, clock, isSecure }: SessionCookieDeps): SessionCookie {
  const style = cookieStyle(isSecure);
  const name = style.name('vestibule_console');
  const { attributes } = style;
  const encrypted = (content: SessionContent) => encryptor.encrypt(JSON.stringify(content), ASSOCIATED_DATA);
  return {
    set: async (content) => {
      const age = Math.max(0, content.expiresAt - nowSeconds(clock));
      const whole = await encrypted(content);
      const { idToken: _, ...rest } = content;
      const value = whole.length <= MAX_LENGTH ? whole : await encrypted(rest);
      return `${name}=${value}; Max-Age=${age}; ${attributes}`;
    },
    deletion: `${name}=; Max-Age=0; ${attributes}`,
    read: async (request) => {
      const value = cookiesOf(request).get(name) ?? '';
      if (value === '' || value.length > MAX_LENGTH) return undefined;
      const content = await opened(encryptor, value);
      return content !== undefined && content.expiresAt > nowSeconds(clock) ? content : undefined;
    },
  };
}

async function opened(encryptor: Encryptor, value: string): Promise<SessionContent | undefined> {
  try {
    // The content was written by `set`: nothing else can be opened with these associated data.
    return JSON.parse(await encryptor.open(value, ASSOCIATED_DATA)) as SessionContent;
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}
