import { parseSecretHash } from '@vestibule/crypto';
import { type ClientMetadata, clearSecretMembers, hmacMembers } from '@vestibule/metadata';
import { isImportableSecret } from '../registration-request.js';
import type { ExportedSecret } from './exported-client.js';
import type { ImportedSecret } from './imported-secret.js';

/** A secret that a client can have here, or why it cannot. */
export type UsableSecret = ImportedSecret | { readonly kind: 'lost'; readonly because: string };

/**
 * The secret of an export that a client with such metadata can have here, or why it cannot. A secret of any length can
 * be kept, unless an HMAC algorithm of the client asks for more (RFC 7518 section 3.2); of a hash every member that
 * needs the secret itself is refused.
 * @throws DomainError `invalid_client_metadata` when a hash is not in a form that is read
 */
export function usableExportedSecret(secret: ExportedSecret, metadata: ClientMetadata): UsableSecret {
  switch (secret.kind) {
    case 'lost':
      return lost(secret.reason);
    case 'none':
      return lost('The export holds no secret.');
    case 'hashed':
      return usableHash(secret, metadata);
    case 'given':
      return usableValue(secret.value, metadata);
  }
}

function usableValue(value: string, metadata: ClientMetadata): UsableSecret {
  if (!isImportableSecret(value)) return lost('It must have 1 to 256 printable ASCII characters here.');
  const { member, algorithm, minimumBytes } =
    hmacMembers(metadata).find((each) => value.length < each.minimumBytes) ?? {};
  if (member === undefined) return { kind: 'clear', value };
  return lost(
    `It has ${value.length} characters, and ${algorithm} (${member}) needs ${minimumBytes} (RFC 7518 section 3.2).`,
  );
}

function usableHash({ value, member }: HashedSecret, metadata: ClientMetadata): UsableSecret {
  const parsed = parseSecretHash(value);
  if ('refusal' in parsed) return lost(`The member ${member} ${parsed.refusal}.`);
  const needed = clearSecretMembers(metadata);
  if (needed.length === 0) return { kind: 'hash', hash: value };
  return lost(
    `The export has only a hash of it (${member}), and ${needed.join(', ')} needs the secret itself.`,
  );
}

type HashedSecret = Extract<ExportedSecret, { readonly kind: 'hashed' }>;

function lost(because: string): UsableSecret {
  return { kind: 'lost', because };
}
