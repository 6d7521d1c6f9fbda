import { recogniseMembers } from '@vestibule/metadata';
import { DomainError, type JsonObject } from '@vestibule/protocol';
import { OPEN_RIGHTS, parseRegistrationRights, type Scope, uniteRegistrationRights } from '@vestibule/scopes';
import { lackingRight } from './check-rights.js';
import { parseRegistrationRequest } from './registration-request.js';

/** SHA-256 in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/**
 * Checks what an initial access token carries beside its scope: a registration cannot mend it. What the members of a
 * template mean together depends on those of the registration, and is judged there.
 * @throws DomainError `invalid_request` when a member of the template is of another type or beyond the scope and what
 *   open registration permits, or the token is bound to anything but a certificate (RFC 8705 section 3.1).
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
      'cnf of an initial access token must be the x5t#S256 of a certificate',
    );
}

function checkTemplate(scope: Scope, template: JsonObject): void {
  const { data, preferredId, preferredSecret, members } = recognised(template);
  const rights = uniteRegistrationRights(OPEN_RIGHTS, parseRegistrationRights(scope));
  // Only what the template itself asks for: the defaults follow from the whole registration.
  const metadata = { grant_types: [], ...members };
  const lacking = lackingRight(rights, { metadata, data, preferredId, preferredSecret });
  if (lacking !== undefined)
    throw new DomainError('invalid_request', `The scope does not permit a template with ${lacking}`);
}

function recognised(template: JsonObject) {
  try {
    return { ...parseRegistrationRequest(template), members: recogniseMembers(template).members };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError('invalid_request', `The template cannot be used: ${error.description}`);
  }
}

function isCertificate(confirmation: JsonObject): boolean {
  const { 'x5t#S256': thumbprint, ...others } = confirmation;
  return typeof thumbprint === 'string' && THUMBPRINT.test(thumbprint) && Object.keys(others).length === 0;
}
