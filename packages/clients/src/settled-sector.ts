import { type ClientMetadata, sectorIdentifier } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';

/**
 * Whether a client whose metadata change calls its end-users by no name that it could not have called them by before:
 * with pairwise subjects it stays in its sector (OpenID Connect Core 1.0 section 8.1).
 *
 * Nobody proves that redirect URIs are theirs. While a client registers that does no harm, since answers go there and
 * nowhere else; but tokens outlive an update, and would then tell the names that end-users have at the sector of
 * someone else. A document that lists redirect URIs is no proof either: they may be those of its owner, or have been
 * replaced one update earlier. A client that was not pairwise may have come from anywhere.
 */
export function staysInSector(before: ClientMetadata, after: ClientMetadata): boolean {
  if (after.subject_type !== 'pairwise') return true;
  return before.subject_type === 'pairwise' && sectorIdentifier(before) === sectorIdentifier(after);
}

/**
 * Refuses metadata from the client itself that would lead it out of its sector.
 * @throws DomainError `invalid_client_metadata`
 */
export function requireSector(before: ClientMetadata, after: ClientMetadata): void {
  if (staysInSector(before, after)) return;
  throw new DomainError(
    'invalid_client_metadata',
    'A registered client with pairwise subjects stays in its sector.',
  );
}
