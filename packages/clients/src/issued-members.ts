import { type Digest, type Digester, type DigestKind, requireEveryKey } from '@vestibule/crypto';
import { DomainError, type Issuer, type JsonObject } from '@vestibule/protocol';
import type { ManagedClient } from './authorize-management.js';
import { registrationClientUri } from './client-information.js';
import { present } from './registration-request.js';

/** What the check takes beside the request. */
export interface IssuedMembersCheck {
  readonly digester: Digester;
  readonly issuer: Issuer;
  /**
   * The digests of the secrets that the client had before. Present where the request repeats the update that made the
   * client what it is: its caller may know the secret that the update replaced, and not the present one.
   */
  readonly replacedSecrets?: readonly Digest[] | undefined;
}

/**
 * Checks that an update names the client that it is about, and that members which only the service issues stand in it
 * as they are at present or not at all, so that what was read can be changed and written back (RFC 7592 section 2.2). A
 * repeated update may name a secret that the client had before instead; when that one expired is not checked.
 * @throws DomainError `invalid_request`
 * @throws KeyEncryptionError when a member is not as it is at present, and may be under a key for digests that cannot
 *   be opened
 */
export function checkIssuedMembers(
  body: JsonObject,
  managed: ManagedClient,
  { digester, issuer, replacedSecrets }: IssuedMembersCheck,
): void {
  const { client } = managed;
  if (present(body, 'client_id') !== client.id) {
    throw new DomainError('invalid_request', 'The parameter client_id must be that of the client.');
  }
  const isCurrent: Readonly<Record<string, (value: unknown) => boolean>> = {
    client_id_issued_at: (value) => value === client.issuedAt,
    client_secret: (value) => isSecret(digester, [client.secret?.digest, ...(replacedSecrets ?? [])], value),
    client_secret_expires_at: (value) =>
      (replacedSecrets !== undefined && typeof value === 'number') ||
      (client.secret !== undefined && value === (client.secret.expiresAt ?? 0)),
    registration_client_uri: (value) => value === registrationClientUri(issuer, client.id),
    registration_access_token: (value) => isRegistrationToken(digester, managed, value),
  };
  for (const [name, matches] of Object.entries(isCurrent)) {
    const value = present(body, name);
    if (value !== undefined && !matches(value)) {
      throw new DomainError(
        'invalid_request',
        `The parameter ${name} must be absent or as it is at present.`,
      );
    }
  }
}

function isSecret(digester: Digester, secrets: readonly (Digest | undefined)[], value: unknown): boolean {
  return typeof value === 'string' && isAnyOf(digester, ['client-secret', value], secrets);
}

// The token that authorises the request is a present one, whichever of the two it is.
function isRegistrationToken(digester: Digester, { client }: ManagedClient, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const { registrationToken } = client;
  const stored = [registrationToken?.digest, registrationToken?.previous?.digest];
  return isAnyOf(digester, ['registration-access-token', value], stored);
}

function isAnyOf(
  digester: Digester,
  [kind, value]: readonly [DigestKind, string],
  stored: readonly (Digest | undefined)[],
): boolean {
  const digests = stored.filter((digest) => digest !== undefined);
  const isOne = digests.some((digest) => digester.matches(kind, value, digest));
  requireEveryKey(isOne || digests.length === 0 || digester.hasEveryKey());
  return isOne;
}
