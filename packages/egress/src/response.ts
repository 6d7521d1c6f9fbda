import type { Clock } from '@vestibule/protocol';
import type { Dispatcher } from 'undici';
import { parseCaching } from './cache-headers.js';
import { EgressFault } from './egress-fault.js';
import { parseMediaType } from './media-type.js';
import type {
  EgressAcceptance,
  EgressCacheableDocument,
  EgressDocument,
  EgressNotModified,
} from './outcome.js';
import { parseRetryAfter } from './retry-after.js';

/** Requirements for a document. */
export interface DocumentRules {
  /** Whether a media type, without parameters and in lower case, is accepted. */
  readonly isAccepted: (mediaType: string) => boolean;
  readonly maxBytes: number;
}

function statusFault(
  { statusCode, headers }: Dispatcher.ResponseData,
  clock: Clock,
  detail?: string,
): EgressFault {
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return new EgressFault(isRedirect ? 'redirect' : 'status', {
    status: statusCode,
    retryAfterSeconds: parseRetryAfter(headers['retry-after'], clock),
    detail,
  });
}

async function readBytes(response: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = new EgressFault('too_large', { status: response.statusCode });
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Negated so that a NaN limit fails too.
    if (!(size <= maxBytes)) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new EgressFault('encoding', { status: 200, detail: 'utf8' });
  }
}

/**
 * Reads a document as it arrives, never holding more than its limit.
 *
 * The content encoding must be identity, as requested, so that the bytes that arrive are the bytes that are counted.
 *
 * @throws EgressFault `redirect`, `status`, `encoding`, `media_type` or `too_large`.
 */
export async function readDocument(
  response: Dispatcher.ResponseData,
  rules: DocumentRules,
  clock: Clock,
): Promise<EgressDocument> {
  if (response.statusCode !== 200) throw statusFault(response, clock);
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new EgressFault('encoding', { status: 200, detail: 'content_encoding' });
  }
  const mediaType = parseMediaType(response.headers['content-type']);
  if (mediaType === undefined || !rules.isAccepted(mediaType)) {
    throw new EgressFault('media_type', { status: 200 });
  }
  const text = decode(await readBytes(response, rules.maxBytes));
  return { outcome: 'ok', status: 200, mediaType, text };
}

/**
 * Reads a document with its caching headers, or that the stored one is still current.
 *
 * @throws EgressFault as {@link readDocument}; `redirect` for a status 304 that was not asked for.
 */
export async function readCacheable(
  response: Dispatcher.ResponseData,
  rules: DocumentRules & { readonly isConditional: boolean },
  clock: Clock,
): Promise<EgressCacheableDocument | EgressNotModified> {
  const caching = parseCaching(response.headers, clock);
  if (response.statusCode === 304 && rules.isConditional) return { outcome: 'ok', status: 304, caching };
  return { ...(await readDocument(response, rules, clock)), caching };
}

/** Largest content of a refusal, in bytes. */
export const MAX_REFUSAL_BYTES = 4_096;

/** Dependencies of {@link readAcceptance}. */
export interface AcceptanceDeps {
  readonly clock: Clock;
  /** Reads the content of a refusal. Default: it is ignored. */
  readonly readRefusal?: ((text: string) => string | undefined) | undefined;
}

/**
 * Reads the status and ignores the content, except for that of a refusal (status 400) if it can be read.
 *
 * @throws EgressFault `redirect` or `status`.
 */
export async function readAcceptance(
  response: Dispatcher.ResponseData,
  { clock, readRefusal }: AcceptanceDeps,
): Promise<EgressAcceptance> {
  const { statusCode } = response;
  if (statusCode >= 200 && statusCode <= 299) return { outcome: 'ok', status: statusCode };
  const isRefusal = statusCode === 400 && readRefusal !== undefined;
  throw statusFault(response, clock, isRefusal ? await refusalOf(response, readRefusal) : undefined);
}

async function refusalOf(
  response: Dispatcher.ResponseData,
  readRefusal: (text: string) => string | undefined,
): Promise<string | undefined> {
  try {
    return readRefusal(decode(await readBytes(response, MAX_REFUSAL_BYTES)));
  } catch {
    // The status says enough.
    return undefined;
  }
}
