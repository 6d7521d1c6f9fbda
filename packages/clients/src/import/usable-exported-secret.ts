import { parseSecretHash } from '@vestibule/crypto';
import type { ClientMetadata } from '@vestibule/metadata';
import { clearSecretMembers, hmacMembers } from '@vestibule/metadata/client-secret-need';
import type { ImportedSecret } from '../registration/accept-registration.js';
import { isImportableSecret } from '../registration/registration-request.js';
import type { ExportedSecret } from './exported-client.js';

/** A secret that a client can have here, or the reason why not. */
export type UsableSecret = ImportedSecret | { readonly kind: 'lost'; readonly because: string };

/**
 * Decides whether a client with these metadata can keep an exported secret. Any length is accepted, unless an HMAC
 * algorithm of the client needs more (RFC 7518 section 3.2). With a hash, every member that needs the secret itself is
 * refused.
 * @throws DomainError `invalid_client_metadata` when the format of a hash is not supported
 */
export function usableExportedSecret(secret: ExportedSecret, metadata: ClientMetadata): UsableSecret {
  switch (secret.kind) {
    case 'lost':
      return lost(secret.reason);
    case 'none':
      return lost('The export has no secret.');
    case 'hashed':
      return usableHash(secret, metadata);
    case 'given':
      return usableValue(secret.value, metadata);
  }
}

function usableValue(value: string, metadata: ClientMetadata): UsableSecret {
  if (!isImportableSecret(value)) return lost('The secret must have 1 to 256 printable ASCII characters.');
  const { member, algorithm, minimumBytes } =
    hmacMembers(metadata).find((each) => value.length < each.minimumBytes) ?? {};
  if (member === undefined) return { kind: 'clear', value };
  return lost(
    `The secret has ${value.length} characters; ${algorithm} (${member}) needs ${minimumBytes} (RFC 7518 section 3.2).`,
  );
}

function usableHash({ value, member }: HashedSecret, metadata: ClientMetadata): UsableSecret {
  const parsed = parseSecretHash(value);
  if ('refusal' in parsed) return lost(`The member ${member} ${parsed.refusal}.`);
  const needed = clearSecretMembers(metadata);
  if (needed.length === 0) return { kind: 'hash', hash: value };
  return lost(
    `The export has only a hash of the secret (${member}); ${needed.join(', ')} needs the secret itself.`,
  );
}

type HashedSecret = Extract<ExportedSecret, { readonly kind: 'hashed' }>;

function lost(because: string): UsableSecret {
  return { kind: 'lost', because };
}
