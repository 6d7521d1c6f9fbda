const UNCLEAN = /[\p{Cc}\p{Cs}]/u;

/**
 * Whether a text has no control characters (including NUL) and no lone surrogates, so that every store and log keeps it
 * unchanged. Fastify decodes `%00` in paths and queries, so values from there have to be checked.
 */
export function isCleanText(text: string): boolean {
  return !UNCLEAN.test(text);
}
