import { type ClientMetadata, sectorIdentifier } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';

/**
 * Whether changed metadata keep the client from learning end-users' identifiers of another sector: with pairwise
 * subjects it stays in its sector (OpenID Connect Core 1.0 section 8.1).
 *
 * Clients do not prove that they own their redirect URIs. At registration that is harmless, since responses go to those
 * URIs only. But tokens outlive an update, and would then reveal the identifiers of end-users in another client's
 * sector. A document that lists the redirect URIs is no proof either: it may list its owner's, or they may have been
 * replaced by an earlier update. A client that was not pairwise before may have come from any sector.
 */
export function staysInSector(before: ClientMetadata, after: ClientMetadata): boolean {
  if (after.subject_type !== 'pairwise') return true;
  return before.subject_type === 'pairwise' && sectorIdentifier(before) === sectorIdentifier(after);
}

/**
 * Refuses metadata from the client itself that would move it to another sector.
 * @throws DomainError `invalid_client_metadata`
 */
export function requireSector(before: ClientMetadata, after: ClientMetadata): void {
  if (staysInSector(before, after)) return;
  throw new DomainError(
    'invalid_client_metadata',
    'A registered client with pairwise subjects stays in its sector.',
  );
}
