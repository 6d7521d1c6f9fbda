import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';

/** What one login at the other provider must prove, kept until the browser returns. */
export interface UpstreamAttempt {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier (RFC 7636). */
  readonly verifier: string;
  readonly startedAt: number;
  /** The greatest age of the login, in seconds. Absent for any age. */
  readonly maxAgeSeconds?: number;
}

/** What the client asked for that the other provider should know. */
export interface UpstreamWishes {
  readonly loginHint?: string;
  readonly uiLocales?: string;
  readonly acrValues?: string;
}

/** A verified login at the other provider. */
export interface UpstreamLogin {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: JsonObject;
  /** The ID token, as the hint for a logout. */
  readonly idToken: string;
  /** The granted scope, if the provider states it. */
  readonly scope?: string;
  /** The session at the other provider. */
  readonly sid?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly authenticatedAt?: EpochSeconds;
}

/** A verified logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4): it names at least one of both. */
export interface UpstreamLogout {
  readonly issuer: string;
  readonly subject?: string;
  readonly sid?: string;
}

/** The OpenID provider at which end-users log in. */
export interface UpstreamProvider {
  /**
   * The address of its login.
   * @throws UpstreamError
   */
  authorizationUrl(attempt: UpstreamAttempt, wishes: UpstreamWishes): Promise<URL>;
  /**
   * Verifies the authorization response and fetches what it stands for.
   * @param query the query with which the browser returned
   * @throws UpstreamError
   */
  finish(query: string, attempt: UpstreamAttempt): Promise<UpstreamLogin>;
  /**
   * Verifies a logout token, except for its single use.
   * @returns `undefined` if it is not valid
   * @throws UpstreamError `unreachable` or `response` if the keys of the provider cannot be read
   */
  readLogoutToken(text: string): Promise<(UpstreamLogout & { readonly jti: string }) | undefined>;
  /**
   * The address that logs the end-user out there (RP-Initiated Logout 1.0); `undefined` if the provider has none.
   * @throws UpstreamError
   */
  endSessionUrl(parameters: Readonly<Record<string, string>>): Promise<URL | undefined>;
}
