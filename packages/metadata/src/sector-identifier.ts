import { invalidMetadata } from './metadata-error.js';
import { isSameOrigin, readUri } from './uri-reading.js';

/** The members that decide to which sector a client belongs. */
export interface SectorMembers {
  readonly subject_type: string;
  readonly response_types: readonly string[];
  readonly redirect_uris?: readonly string[];
  readonly sector_identifier_uri?: string;
}

/** The most redirect URIs that a sector identifier document may list. */
const MAX_DOCUMENT_ENTRIES = 1000;

/**
 * Checks the document that was read from `sector_identifier_uri`: a JSON array of strings that lists every redirect URI
 * of the client (OpenID Connect Dynamic Client Registration 1.0 section 5), and at least one. Without this check
 * anyone could enter the sector of someone else and learn the subject identifiers that it uses.
 * @throws DomainError `invalid_client_metadata`
 */
export function checkSectorIdentifier(document: unknown, metadata: SectorMembers): void {
  const listed = Array.isArray(document) && document.length <= MAX_DOCUMENT_ENTRIES ? document : undefined;
  if (listed?.every((entry) => typeof entry === 'string') !== true) {
    throw invalidMetadata('sector_identifier_uri', 'must lead to a JSON array of strings');
  }
  const entries = new Set<string>(listed);
  const { redirect_uris: uris = [] } = metadata;
  if (uris.length === 0 || !uris.every((uri) => entries.has(uri))) {
    throw invalidMetadata('sector_identifier_uri', 'must lead to a list of all redirect URIs');
  }
}

/**
 * The sector to which a client with pairwise subjects belongs (OpenID Connect Core 1.0 section 8.1): the host of
 * `sector_identifier_uri`, else the one host of all redirect URIs, and the port where it is not the usual one: on
 * another port someone else may live, and the authorisation server tells sectors apart in the same way. `undefined`
 * when it has no sector of its own.
 *
 * Nobody proves that it is theirs: what protects its end-users is that names of a sector go to redirect URIs and to
 * {@link isInSector} addresses alone. A server with grants that no redirect URI takes part in must not give such names
 * in them.
 */
export function sectorIdentifier(metadata: SectorMembers): string | undefined {
  const { sector_identifier_uri: uri, redirect_uris: redirects = [], response_types: types } = metadata;
  if (uri !== undefined) return readUri(uri) && new URL(uri).host;
  // Without a response that is sent to them, redirect URIs say nothing.
  const sectors = types.length === 0 ? [] : redirects.map(sectorOfRedirectUri);
  return sectors.every((sector) => sector === sectors[0]) ? sectors[0] : undefined;
}

/**
 * Whether an address lies where the names of a client's sector may be told: at the sector's own host, or at the origin
 * of a redirect URI, which receives them anyway.
 */
export function isInSector(metadata: SectorMembers, address: string): boolean {
  const reading = readUri(address);
  if (reading === undefined) return false;
  const sector = sectorOfRedirectUri(address);
  if (sector !== undefined && sector === sectorIdentifier(metadata)) return true;
  const redirects = (metadata.redirect_uris ?? []).map(readUri);
  return redirects.some((redirect) => redirect !== undefined && isSameOrigin(redirect, reading));
}

// Loopback addresses and private-use schemes belong to everyone.
function sectorOfRedirectUri(uri: string): string | undefined {
  return readUri(uri)?.scheme === 'https' ? new URL(uri).host : undefined;
}
