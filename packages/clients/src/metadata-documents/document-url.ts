import { STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import { readSecureUrl } from '@vestibule/metadata/uris';
import { type ClientId, parseClientId } from '@vestibule/protocol';

declare const documentUrlBrand: unique symbol;

/**
 * A client identifier that is the URL of a client ID metadata document: https, with a path beyond `/`, without user
 * name, fragment and dot segments, in its normal form (draft-ietf-oauth-client-id-metadata-document-03 section 3). It is
 * compared character by character.
 */
export type DocumentUrl = ClientId & { readonly [documentUrlBrand]: true };

/** The URL is the key of an index, and people see it. */
const MAX_LENGTH = 512;

/**
 * Parses a client identifier as the URL of a document; `undefined` if it is none. Hosts in `allowHosts` (`host` or
 * `host:port`) may also use http, only for development and tests.
 */
export function parseDocumentUrl(
  value: unknown,
  allowHosts: readonly string[] = [],
): DocumentUrl | undefined {
  const id = parseClientId(value);
  return id !== undefined && documentUrlProblem(id, allowHosts) === undefined
    ? (id as DocumentUrl)
    : undefined;
}

/** What makes a client identifier no document URL, as the end of a sentence; `undefined` if it is one. */
export function documentUrlProblem(id: string, allowHosts: readonly string[] = []): string | undefined {
  if (!/^https?:\/\//.test(id)) return 'must be an https URL';
  if (id.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (id.includes('#')) return 'must have no fragment';
  const settings = { ...STRICT_METADATA_SETTINGS, egressAllowHosts: allowHosts };
  const reading = readSecureUrl(id, settings);
  if (reading === undefined)
    return 'must be an https URL of printable ASCII without user name and dot segments, that all parsers read alike';
  if (new URL(id).href !== id) return 'must be in its normal form: lower-case host, no default port';
  return reading.path.length > 1 ? undefined : 'must have a path';
}
