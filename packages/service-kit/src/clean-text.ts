const UNCLEAN = /[\p{Cc}\p{Cs}]/u;

/**
 * Whether a text holds no control character (NUL included) and no lone surrogate, so that every store and every log
 * keeps it as it is. Fastify decodes `%00` in paths and queries, hence the check on values that came from there.
 */
export function isCleanText(text: string): boolean {
  return !UNCLEAN.test(text);
}
