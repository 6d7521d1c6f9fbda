import { type Clock, nowSeconds } from '@vestibule/protocol';

/** The validators of a stored response (RFC 9110 section 8.8), as its server sent them. */
export interface ResponseValidators {
  /** The entity tag, for `If-None-Match`. */
  readonly etag?: string;
  /** The date of the last change, for `If-Modified-Since`. */
  readonly lastModified?: string;
}

/** What the headers of a response say about storing it. */
export interface ResponseCaching extends ResponseValidators {
  /**
   * How long a shared cache may use the response without asking again, in seconds; 0 if it must ask each time. Absent if
   * the headers do not say.
   */
  readonly lifetimeSeconds?: number;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Entity tags longer than this are not kept. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,254}"$/;

/** Dates in the form that senders must use (RFC 9110 section 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Larger numbers count as this (RFC 9111 section 1.2.2). */
const MAX_SECONDS = 2_147_483_647;

/** Reads the caching headers of a response as a shared cache does (RFC 9111 sections 4.2 and 5). Never throws. */
export function parseCaching(headers: Headers, clock: Clock): ResponseCaching {
  const etag = only(headers['etag']);
  const lastModified = only(headers['last-modified']);
  const lifetimeSeconds = lifetimeOf(headers, clock);
  return {
    ...(etag !== undefined && ENTITY_TAG.test(etag) && { etag }),
    ...(lastModified !== undefined && HTTP_DATE.test(lastModified) && { lastModified }),
    ...(lifetimeSeconds !== undefined && { lifetimeSeconds }),
  };
}

function lifetimeOf(headers: Headers, clock: Clock): number | undefined {
  const directives = directivesOf(headers['cache-control']);
  if (['no-store', 'no-cache', 'private'].some((name) => directives.has(name))) return 0;
  const maxAge = directives.get('s-maxage') ?? directives.get('max-age');
  if (maxAge !== undefined) {
    const seconds = wholeSeconds(maxAge);
    // An unreadable lifetime counts as none (RFC 9111 section 4.2.1).
    return seconds === undefined ? 0 : Math.max(0, seconds - (wholeSeconds(only(headers['age'])) ?? 0));
  }
  const expires = headers['expires'];
  if (expires === undefined) return undefined;
  const until = dateSeconds(only(expires));
  const from = dateSeconds(only(headers['date'])) ?? nowSeconds(clock);
  return until === undefined ? 0 : Math.max(0, until - from);
}

/** The directives in lower case with their arguments; the first of a repeated one counts. */
function directivesOf(value: string | string[] | undefined): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of [value ?? []].flat().join(',').split(',')) {
    const [name = '', argument = ''] = part.trim().split('=', 2);
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, argument.replace(/^"(.*)"$/, '$1'));
  }
  return directives;
}

function wholeSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), MAX_SECONDS) : undefined;
}

function dateSeconds(text: string | undefined): number | undefined {
  if (text === undefined || !HTTP_DATE.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

function only(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
