import { invalidMetadata } from './metadata-error.js';
import { isSameOrigin, readUri } from './uris/uri-reading.js';

/** The members that determine a client's sector. */
export interface SectorMembers {
  readonly subject_type: string;
  readonly response_types: readonly string[];
  readonly redirect_uris?: readonly string[];
  readonly sector_identifier_uri?: string;
}

/** Maximum number of redirect URIs in a sector identifier document. */
const MAX_DOCUMENT_ENTRIES = 1000;

/**
 * Checks the document at `sector_identifier_uri`: a JSON array of strings that lists every redirect URI of the client
 * (OpenID Connect Dynamic Client Registration 1.0 section 5), and at least one. Without this check any client could
 * join another client's sector and learn its subject identifiers.
 * @throws DomainError `invalid_client_metadata`
 */
export function checkSectorIdentifier(document: unknown, metadata: SectorMembers): void {
  const listed = Array.isArray(document) && document.length <= MAX_DOCUMENT_ENTRIES ? document : undefined;
  if (listed?.every((entry) => typeof entry === 'string') !== true) {
    throw invalidMetadata('sector_identifier_uri', 'must point to a JSON array of strings');
  }
  const entries = new Set<string>(listed);
  const { redirect_uris: uris = [] } = metadata;
  if (uris.length === 0 || !uris.every((uri) => entries.has(uri))) {
    throw invalidMetadata('sector_identifier_uri', 'must point to a list of all redirect URIs');
  }
}

/**
 * Returns the sector of a client with pairwise subjects (OpenID Connect Core 1.0 section 8.1): the host of
 * `sector_identifier_uri`, otherwise the single host of all redirect URIs, with the port unless it is the default one.
 * Another port may belong to another operator, and the authorization server separates sectors in the same way. `undefined`
 * if it has no sector of its own.
 *
 * Clients do not prove that they own a sector. End-users are protected because a sector's subject identifiers are sent
 * only to redirect URIs and to addresses that pass {@link isInSector}. A server must not issue such identifiers in
 * grants without a redirect URI.
 */
export function sectorIdentifier(metadata: SectorMembers): string | undefined {
  const { sector_identifier_uri: uri, redirect_uris: redirects = [], response_types: types } = metadata;
  if (uri !== undefined) return readUri(uri) && new URL(uri).host;
  // If no response is sent to them, redirect URIs prove nothing.
  const sectors = types.length === 0 ? [] : redirects.map(sectorOfRedirectUri);
  return sectors.every((sector) => sector === sectors[0]) ? sectors[0] : undefined;
}

/**
 * Whether the subject identifiers of a client's sector may be sent to an address: at the sector's own host, or at the
 * origin of a redirect URI, which receives them anyway.
 */
export function isInSector(metadata: SectorMembers, address: string): boolean {
  const reading = readUri(address);
  if (reading === undefined) return false;
  const sector = sectorOfRedirectUri(address);
  if (sector !== undefined && sector === sectorIdentifier(metadata)) return true;
  const redirects = (metadata.redirect_uris ?? []).map(readUri);
  return redirects.some((redirect) => redirect !== undefined && isSameOrigin(redirect, reading));
}

// Loopback addresses and private-use schemes are not owned by any client.
function sectorOfRedirectUri(uri: string): string | undefined {
  return readUri(uri)?.scheme === 'https' ? new URL(uri).host : undefined;
}
