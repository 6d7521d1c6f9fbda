import { type Digest, type Digester, type DigestKind, requireEveryKey } from '@vestibule/crypto';
import { DomainError, type Issuer, type JsonObject } from '@vestibule/protocol';
import type { ManagedClient } from './authorize-management.js';
import { registrationClientUri } from './client-information.js';
import { present } from './registration-request.js';

/** What the check takes beside the request. */
export interface IssuedMembersCheck {
  readonly digester: Digester;
  readonly issuer: Issuer;
  /** Whether the request repeats the update that made the client what it is. */
  readonly isRepetition: boolean;
}

/**
 * Checks that an update names the client that it is about, and that members which only the service issues stand in it
 * as they are at present or not at all, so that what was read can be changed and written back (RFC 7592 section 2.2).
 * Who repeats an update whose answer was lost cannot know the present secret: what it says of one is passed over.
 * @throws DomainError `invalid_request`
 * @throws KeyEncryptionError when a member is not as it is at present, and may be under a key for digests that cannot
 *   be opened
 */
export function checkIssuedMembers(
  body: JsonObject,
  managed: ManagedClient,
  { digester, issuer, isRepetition }: IssuedMembersCheck,
): void {
  const { client } = managed;
  if (present(body, 'client_id') !== client.id) {
    throw new DomainError('invalid_request', 'The parameter client_id must be that of the client.');
  }
  const isCurrent: Readonly<Record<string, (value: unknown) => boolean>> = {
    client_id_issued_at: (value) => value === client.issuedAt,
    client_secret: (value) => isSecret(digester, managed, value),
    client_secret_expires_at: (value) =>
      client.secret !== undefined && value === (client.secret.expiresAt ?? 0),
    registration_client_uri: (value) => value === registrationClientUri(issuer, client.id),
    registration_access_token: (value) => isRegistrationToken(digester, managed, value),
  };
  for (const [name, matches] of Object.entries(isCurrent)) {
    const value = present(body, name);
    const isUnknowable = isRepetition && SECRET_MEMBERS.includes(name);
    if (value !== undefined && !isUnknowable && !matches(value)) {
      throw new DomainError(
        'invalid_request',
        `The parameter ${name} must be absent or as it is at present.`,
      );
    }
  }
}

const SECRET_MEMBERS = ['client_secret', 'client_secret_expires_at'];

function isSecret(digester: Digester, { client }: ManagedClient, value: unknown): boolean {
  return typeof value === 'string' && isAnyOf(digester, ['client-secret', value], [client.secret?.digest]);
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
