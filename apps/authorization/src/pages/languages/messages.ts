import type { CommonMessages } from '@vestibule/http/pages';

/** The sentences of login, consent, expired and error pages. `{client}`, `{account}` and `{site}` stand for names. */
export interface PageMessages {
  readonly demo: string;
  /** The title of the login page, and its button. */
  readonly logIn: string;
  readonly loginFor: string;
  readonly username: string;
  readonly password: string;
  readonly cancel: string;
  readonly wrongPassword: string;
  readonly consentTitle: string;
  /** Precedes the list of requested scope values. */
  readonly consent: string;
  /** Precedes the scope values of the resource server `{resource}`. */
  readonly accessResource: string;
  /** If nothing new is requested. */
  readonly confirmAgain: string;
  readonly scopeOpenid: string;
  readonly scopeProfile: string;
  readonly scopeEmail: string;
  readonly scopeAddress: string;
  readonly scopePhone: string;
  readonly scopeOffline: string;
  readonly privacyPolicy: string;
  readonly terms: string;
  /** Precedes the host of the client ID metadata document of a client. */
  readonly documentHost: string;
  /** If such a client gets its response on a loopback address. */
  readonly loopbackWarning: string;
  readonly destination: string;
  readonly allow: string;
  readonly refuse: string;
  readonly expiredTitle: string;
  readonly expired: string;
  readonly badRequest: string;
  readonly tooManyRequests: string;
  /** Precedes the protocol error. */
  readonly details: string;
  readonly fault: string;
}

/** Every sentence of these pages. */
export type Messages = PageMessages & CommonMessages;
