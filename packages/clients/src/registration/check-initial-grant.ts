import { recognizeMembers } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { OPEN_SCOPES, parseGrantedScopes, type Scope, uniteGrantedScopes } from '@vestibule/scopes';
import { lackingGrant } from './check-granted-scopes.js';
import { parseRegistrationRequest } from './registration-request.js';

/** SHA-256 in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/**
 * Validates the template and confirmation of an initial access token, which a registration could not correct later.
 * Rules on several members are checked at the registration, because they also depend on its members.
 * @throws DomainError `invalid_request` when a member of the template has the wrong type or exceeds the scope and what
 *   open registration permits, or when the token is bound to anything but a certificate (RFC 8705 section 3.1).
 */
export function checkInitialGrant({
  scope,
  metadataTemplate,
  confirmation,
}: {
  readonly scope: Scope;
  readonly metadataTemplate?: JsonObject | undefined;
  readonly confirmation?: JsonObject | undefined;
}): void {
  if (metadataTemplate !== undefined) checkTemplate(scope, metadataTemplate);
  if (confirmation !== undefined && !isCertificate(confirmation))
    throw new DomainError(
      'invalid_request',
      'cnf: must be the x5t#S256 of a certificate for an initial access token',
    );
}

function checkTemplate(scope: Scope, template: JsonObject): void {
  const { data, preferredId, preferredSecret, members } = recognized(template);
  const grantedScopes = uniteGrantedScopes(OPEN_SCOPES, parseGrantedScopes(scope));
  // Only the members of the template: the defaults depend on the whole registration.
  const metadata = { grant_types: [], ...members };
  const lacking = lackingGrant(grantedScopes, { metadata, data, preferredId, preferredSecret });
  if (lacking !== undefined)
    throw new DomainError('invalid_request', `The scope does not permit a template with ${lacking}`);
}

function recognized(template: JsonObject) {
  try {
    return { ...parseRegistrationRequest(template), members: recognizeMembers(template).members };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError('invalid_request', `The template cannot be used: ${error.description}`);
  }
}

function isCertificate(confirmation: JsonObject): boolean {
  const { 'x5t#S256': thumbprint, ...others } = confirmation;
  return typeof thumbprint === 'string' && THUMBPRINT.test(thumbprint) && Object.keys(others).length === 0;
}
