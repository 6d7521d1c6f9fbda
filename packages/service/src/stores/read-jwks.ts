import { readFile } from 'node:fs/promises';
import { type PublicJwkSetResult, parseJwksText } from '@vestibule/crypto/public-keys';
import type { Egress, EgressFailure } from '@vestibule/egress';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import {
  JWKS_MAX_BYTES,
  type JwksLocation,
  parseJwksBytes,
  UNREADABLE_JWKS_FILE,
} from '../settings/jwks-location.js';

/** Leaves time to respond to the request that waits for it. */
const DEADLINE_MS = 1_500;

const MEDIA_TYPES = [MEDIA_TYPE.jwkSet, MEDIA_TYPE.json];

/**
 * Reads a JWK set of public keys, of at most 64 KiB. A URL has to respond with `application/jwk-set+json` or
 * `application/json` within 1.5 seconds, without a redirect. Never rejects.
 */
export function readJwks(
  location: JwksLocation,
  egress: Pick<Egress, 'fetchDocument'>,
): Promise<PublicJwkSetResult> {
  return location.kind === 'file' ? readJwksFile(location.path) : fetchJwks(location.url, egress);
}

async function readJwksFile(path: string): Promise<PublicJwkSetResult> {
  try {
    return parseJwksBytes(await readFile(path));
  } catch {
    return UNREADABLE_JWKS_FILE;
  }
}

async function fetchJwks(
  { href: url }: URL,
  egress: Pick<Egress, 'fetchDocument'>,
): Promise<PublicJwkSetResult> {
  const accept = MEDIA_TYPES.join(', ');
  const limits = { mediaTypes: MEDIA_TYPES, maxBytes: JWKS_MAX_BYTES, deadlineMs: DEADLINE_MS };
  const response = await egress.fetchDocument({ url, accept, ...limits });
  return response.outcome === 'ok'
    ? parseJwksText(response.text)
    : { ok: false, reason: `the URL cannot be fetched: ${causeOf(response)}` };
}

/** An operator chose the URL, so the cause may be shown. */
function causeOf({ reason, status, detail }: EgressFailure): string {
  switch (reason) {
    case 'redirect':
      return `it redirects, with status ${status}`;
    case 'status':
      return `it responds with status ${status}`;
    case 'media_type':
      return `its media type is neither ${MEDIA_TYPES.join(' nor ')}`;
    case 'too_large':
      return `it has more than ${JWKS_MAX_BYTES} bytes`;
    default:
      return detail === undefined ? reason : `${reason} (${detail})`;
  }
}
