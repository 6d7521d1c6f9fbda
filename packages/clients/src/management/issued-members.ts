import type { Digest, Digester, DigestKind } from '@vestibule/crypto/data-keys';
import { DomainError, type Issuer } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { registrationClientUri } from '../client-information.js';
import type { ManagedClient } from '../managed-client.js';
import { present } from '../registration/registration-request.js';

/** Inputs of the check, beside the request. */
export interface IssuedMembersCheck {
  readonly digester: Digester;
  readonly issuer: Issuer;
  /**
   * Digests of the client's previous secrets. Present if the request repeats the last update: its sender may know the
   * secret that the update replaced instead of the current one.
   */
  readonly replacedSecrets?: readonly Digest[] | undefined;
}

/**
 * Checks that the body of an update names the client, and that issued members have their current values or are absent,
 * so that a response can be changed and sent back (RFC 7592 section 2.2). A repeated update may contain an earlier
 * secret instead; its expiry is not checked.
 * @throws DomainError `invalid_request`
 * @throws KeyEncryptionError when a member differs from its current value but may be under a digest key that cannot be
 *   opened
 */
export function checkIssuedMembers(
  body: JsonObject,
  managed: ManagedClient,
  { digester, issuer, replacedSecrets }: IssuedMembersCheck,
): void {
  const { client } = managed;
  if (present(body, 'client_id') !== client.id) {
    throw new DomainError('invalid_request', 'client_id: must be the identifier of the client');
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
      throw new DomainError('invalid_request', `${name}: must be absent or have its current value`);
    }
  }
}

function isSecret(digester: Digester, secrets: readonly (Digest | undefined)[], value: unknown): boolean {
  return typeof value === 'string' && isAnyOf(digester, ['client-secret', value], secrets);
}

// The token that authorizes the request is valid, whether it is the current or the previous one.
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
  return digester.matches(kind, value, ...stored.filter((digest) => digest !== undefined));
}
