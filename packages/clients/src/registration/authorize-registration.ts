import { DomainError, nowSeconds } from '@vestibule/protocol';
import { registrationEndpoint } from '@vestibule/protocol/constants';
import { ALL_SCOPES, isRegistrationScope, parseGrantedScopes, uniteGrantedScopes } from '@vestibule/scopes';
import { invalidToken } from '../invalid-token.js';
import { findInitialToken, type InitialAccessToken } from './initial-access-token.js';
import type { RegistrationAuthority } from './registration-authority.js';
import type { RegistrationAuthorityDeps } from './registration-deps.js';
import { findRepeatable, type RepeatableRequest } from './repeatable-request.js';

/** The credential of a request to register. */
export interface RegistrationCredential {
  /** The bearer token; absent if the request has none. */
  readonly token?: string | undefined;
  /** SHA-256 thumbprint of the client certificate in base64url, for certificate-bound tokens (RFC 8705 section 3). */
  readonly certificateThumbprint?: string | undefined;
  /** Network that the request came from. */
  readonly network?: string | undefined;
  /** The idempotency key of the request. It has no effect if responses are not stored. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Determines what a request to register may do (registration/API.md#modes). In open mode a token adds to what anyone
 * may do; in managed mode the granted scopes are exactly the token's. Nothing is consumed here. With its idempotency
 * key, a used-up token still gives access to the response that it was consumed for.
 *
 * @throws DomainError `missing_token` without a token in managed mode; `invalid_token` for a token that is unknown,
 *   expired, used up, for another audience or bound to a key that was not proved; `insufficient_scope` for a live token
 *   without any registration right, including an ordinary access token.
 */
export async function authorizeRegistration(
  deps: RegistrationAuthorityDeps,
  credential: RegistrationCredential,
): Promise<RegistrationAuthority> {
  const { masterToken, settings } = deps;
  const { token } = credential;
  if (token === undefined) return anonymousAuthority(deps, credential);
  if (masterToken.matches(token)) {
    return { kind: 'master', grantedScopes: ALL_SCOPES, ...(await repetition(deps, token, credential)) };
  }
  const found = await findInitialToken(deps, token);
  if (found === undefined) throw await refuseForeignToken(deps, token);
  const { issued, digests: consumes } = found;
  const repeated = await repetition(deps, token, credential);
  refuseUnusable(deps, issued, { ...credential, mayBeConsumed: repeated.repeatable?.earlier !== undefined });
  const grantedScopes = parseGrantedScopes(issued.scope);
  return {
    kind: 'initial_access_token',
    grantedScopes: settings.allowOpenRegistration
      ? uniteGrantedScopes(settings.openRegistrations.grantedScopes, grantedScopes)
      : grantedScopes,
    consumes,
    ...(issued.metadataTemplate && { metadataTemplate: issued.metadataTemplate }),
    ...repeated,
  };
}

// A key alone would reveal the credentials of the stored response to anyone who sees or guesses it.
function anonymousAuthority(
  { settings }: RegistrationAuthorityDeps,
  { idempotencyKey, network }: RegistrationCredential,
): RegistrationAuthority {
  if (!settings.allowOpenRegistration)
    throw new DomainError('missing_token', 'Registration requires an initial access token.');
  if (idempotencyKey !== undefined && settings.idempotencyRetentionSeconds > 0)
    throw new DomainError('invalid_request', 'Idempotency-Key: requires an access token');
  return { kind: 'anonymous', grantedScopes: settings.openRegistrations.grantedScopes, network };
}

async function repetition(
  deps: RegistrationAuthorityDeps,
  token: string,
  { idempotencyKey }: RegistrationCredential,
): Promise<{ readonly repeatable?: RepeatableRequest }> {
  if (idempotencyKey === undefined || deps.settings.idempotencyRetentionSeconds === 0) return {};
  return { repeatable: await findRepeatable(deps, token, idempotencyKey) };
}

async function refuseForeignToken(
  { accessTokens }: RegistrationAuthorityDeps,
  token: string,
): Promise<DomainError> {
  if (!(await accessTokens.isAccessToken(token))) return invalidToken('no such initial access token');
  return new DomainError('insufficient_scope', 'The access token does not permit registration.', {
    scope: 'client-reg',
  });
}

function refuseUnusable(
  { clock, settings }: RegistrationAuthorityDeps,
  issued: InitialAccessToken,
  { certificateThumbprint, mayBeConsumed }: RegistrationCredential & { readonly mayBeConsumed: boolean },
): void {
  if (issued.expiresAt <= nowSeconds(clock)) throw invalidToken('the initial access token expired');
  if (issued.usesLeft < 1 && !mayBeConsumed) throw invalidToken('the initial access token is used up');
  const ours: readonly string[] = [settings.issuer, registrationEndpoint(settings.issuer)];
  const mayBeForAnybody = issued.audience.length === 0 && !settings.initialTokenAudienceRequired;
  if (!mayBeForAnybody && !issued.audience.some((audience) => ours.includes(audience))) {
    throw invalidToken('the initial access token is for another audience, or for none');
  }
  if (issued.confirmation !== undefined && !isConfirmed(issued.confirmation, certificateThumbprint)) {
    throw invalidToken('the initial access token is bound to another key');
  }
  if (!isRegistrationScope(issued.scope)) {
    throw new DomainError('insufficient_scope', 'The access token does not permit registration.', {
      scope: 'client-reg',
    });
  }
}

// No other confirmation method can be verified here.
function isConfirmed(
  confirmation: Readonly<Record<string, unknown>>,
  thumbprint: string | undefined,
): boolean {
  const methods = Object.keys(confirmation);
  return methods.length === 1 && thumbprint !== undefined && confirmation['x5t#S256'] === thumbprint;
}
