import type { Reply } from '@vestibule/http';
import type { ResponseTags } from '@vestibule/tokens/tag-stream';

/** A preference of the request (RFC 7240 section 2). Its value and parameters mean nothing. */
const PREFERENCE = /(?:^|,)[ \t]*cache-tags[ \t]*(?:[,;=]|$)/i;

/** Whether a request asks how long its response may be kept (introspection/API.md#cache-tags). */
export function prefersCacheTags(prefer: string | readonly string[]): boolean {
  return PREFERENCE.test(typeof prefer === 'string' ? prefer : prefer.join(','));
}

/** Adds to a response how long the caller may keep it. */
export function addCacheTags(reply: Reply, { position, tags, maxAgeSeconds }: ResponseTags): void {
  reply
    .header('preference-applied', 'cache-tags')
    .header('stream-position', position)
    .header('cache-tags', tags.join(', '))
    .header('token-cache-control', `max-age=${maxAgeSeconds}`);
}
