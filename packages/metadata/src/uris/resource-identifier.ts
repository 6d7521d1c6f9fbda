import { examineUri } from './uri-reading.js';

// RFC 8141 section 2. A URN has no host that parsers could disagree on.
const URN = /^urn:[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9]):[A-Za-z0-9._~!$&'()*+,;=:@%/-]+$/i;

/**
 * Returns what is wrong with a resource identifier, as the end of a sentence; `undefined` if nothing is. It must be an
 * absolute URI without a fragment (RFC 8707 section 2).
 */
export function resourceIdentifierProblem(text: string): string | undefined {
  // Without its last slash it would be another spelling of the identifier with one slash less.
  if (text.endsWith('//')) return 'must not end in more than one slash';
  if (URN.test(text)) return undefined;
  const { reading, problem } = examineUri(text);
  if (reading === undefined) return problem;
  if (reading.hasFragment) return 'must not have a fragment';
  return reading.host === '' ? 'must have a host, or be a URN' : undefined;
}

/** Normalizes a resource identifier: a trailing slash makes no difference. */
export function resourceName(identifier: string): string {
  return identifier.endsWith('/') ? identifier.slice(0, -1) : identifier;
}
