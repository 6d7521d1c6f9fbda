import { examineUri } from './uri-reading.js';

// RFC 8141 section 2; a URN has no host that could be read in two ways.
const URN = /^urn:[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9]):[A-Za-z0-9._~!$&'()*+,;=:@%/-]+$/i;

/**
 * What is wrong with the name of a resource server, as the end of a sentence: it must be an absolute URI without
 * fragment (RFC 8707 section 2). `undefined` when nothing is.
 */
export function resourceIdentifierProblem(text: string): string | undefined {
  // Without its last slash it would be another spelling of the name that has one slash less.
  if (text.endsWith('//')) return 'must not end in more than one slash';
  if (URN.test(text)) return undefined;
  const { reading, problem } = examineUri(text);
  if (reading === undefined) return problem;
  if (reading.hasFragment) return 'must not have a fragment';
  return reading.host === '' ? 'must have a host, or be a URN' : undefined;
}

/** The one spelling of a resource identifier: a slash at its end makes no difference. */
export function resourceName(identifier: string): string {
  return identifier.endsWith('/') ? identifier.slice(0, -1) : identifier;
}
