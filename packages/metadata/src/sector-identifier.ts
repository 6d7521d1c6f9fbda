import { invalidMetadata } from './metadata-error.js';
import { readUri } from './uri-reading.js';

/** The members that decide to which sector a client belongs. */
export interface SectorMembers {
  readonly subject_type: string;
  readonly redirect_uris?: readonly string[];
  readonly sector_identifier_uri?: string;
}

/** The most redirect URIs that a sector identifier document may list. */
const MAX_DOCUMENT_ENTRIES = 1000;

/**
 * Checks the document that was read from `sector_identifier_uri`: a JSON array of strings that lists every redirect URI
 * of the client (OpenID Connect Dynamic Client Registration 1.0 section 5), and at least one. Without this check anybody
 * could enter the sector of somebody else and learn the subject identifiers that it uses.
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
 * The host that names the client's sector (OpenID Connect Core 1.0 section 8.1): that of `sector_identifier_uri`, else
 * the one host of all its redirect URIs. `undefined` when it has none of its own.
 */
export function sectorIdentifierHost(metadata: SectorMembers): string | undefined {
  if (metadata.sector_identifier_uri !== undefined) return readUri(metadata.sector_identifier_uri)?.host;
  // Loopback addresses and private-use schemes belong to everybody.
  const hosts = (metadata.redirect_uris ?? []).map(readUri).map((reading) => {
    return reading?.scheme === 'https' ? reading.host : undefined;
  });
  return hosts.every((host) => host === hosts[0]) ? hosts[0] : undefined;
}
