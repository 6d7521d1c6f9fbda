import type { AccessToken } from './access-token.js';

/** Why a request was refused; for logs and metrics. The response tells the client less. */
export type RefusalReason =
  /** The request has no access token. */
  | 'no_token'
  /** Several `Authorization` headers. */
  | 'ambiguous'
  /** What follows the scheme cannot be a token. */
  | 'malformed'
  /** Introspection says that the token is not active. */
  | 'inactive'
  | 'expired'
  | 'not_yet_valid'
  /** The token is for another API. */
  | 'audience'
  /** The token is bound to a key or certificate that the request does not prove, or in a way that is not supported. */
  | 'binding'
  /** The DPoP proof is not acceptable. */
  | 'proof'
  /** The DPoP proof was used before. */
  | 'replayed_proof'
  /** The DPoP proof lacks a current nonce of this server. */
  | 'nonce'
  /** The token lacks a required scope value. */
  | 'scope'
  /** It cannot be determined whether the token is active. */
  | 'unavailable';

/** The request may pass. */
export interface AcceptedRequest {
  readonly outcome: 'accepted';
  readonly token: AccessToken;
}

/** The response to send instead of passing the request on. */
export interface RefusedRequest {
  readonly outcome: 'refused';
  readonly reason: RefusalReason;
  readonly status: 400 | 401 | 403 | 503;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or empty. */
  readonly body: string;
}

/** The result of verifying a request. */
export type Verification = AcceptedRequest | RefusedRequest;
