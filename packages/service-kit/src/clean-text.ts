const UNCLEAN = /[\p{Cc}\p{Cs}]/u;
const LINE_BREAKS = /[\t\n\r]/g;

/**
 * Whether a text holds no control character (NUL included) and no lone surrogate, so that every store and every log
 * keeps it as it is. Fastify decodes `%00` in paths and queries, hence the check on values that came from there.
 */
export function isCleanText(text: string): boolean {
  return !UNCLEAN.test(text);
}

/** The same, with tabs and line ends allowed: a text of several lines, as custom data may hold. */
export function isCleanProse(text: string): boolean {
  return isCleanText(text.replace(LINE_BREAKS, ' '));
}
