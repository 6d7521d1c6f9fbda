import type { Egress } from '@vestibule/egress';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { UpstreamError } from './upstream-error.js';

const MAX_BYTES = 65_536;
/** A provider may verify a password hash, or ask a directory, before it responds. */
const DEADLINE_MS = 5_000;
const MEDIA_TYPES = [MEDIA_TYPE.json, MEDIA_TYPE.jwkSet, MEDIA_TYPE.jwt];

/** A request of a library that takes a `fetch` of its own. */
export interface UpstreamRequest {
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** `fetch`, for libraries. */
export type UpstreamFetch = (url: string, request: UpstreamRequest) => Promise<Response>;

/**
 * `fetch` through the guarded client for outgoing requests. A response with another status than 200 has no content.
 * @throws UpstreamError `unreachable`
 */
export function upstreamFetch(egress: Pick<Egress, 'fetchDocument'>): UpstreamFetch {
  return async (url, { method, headers, body }) => {
    const authorization = new Headers(headers).get('authorization') ?? undefined;
    const outcome = await egress.fetchDocument({
      url,
      accept: MEDIA_TYPES.join(', '),
      mediaTypes: MEDIA_TYPES,
      maxBytes: MAX_BYTES,
      deadlineMs: DEADLINE_MS,
      ...(authorization !== undefined && { authorization }),
      ...(method === 'POST' && { form: formOf(body) }),
    });
    if (outcome.outcome === 'ok')
      return new Response(outcome.text, { headers: { 'content-type': outcome.mediaType } });
    const { reason, status } = outcome;
    if (reason === 'status' && status !== undefined) return new Response(null, { status });
    throw new UpstreamError('unreachable', reason);
  };
}

function formOf(body: unknown): Record<string, string> {
  if (typeof body === 'string' || body instanceof URLSearchParams)
    return Object.fromEntries(new URLSearchParams(body));
  throw new TypeError('only forms are posted');
}
