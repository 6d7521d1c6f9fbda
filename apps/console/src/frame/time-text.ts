/** What a field for a time says about it. */
export const TIME_HINT = 'In UTC, as 2026-01-31 or 2026-01-31 12:00.';

/** What is wrong with a text that is no time. */
export const NO_TIME = `It is not a time from 1970 on. ${TIME_HINT}`;

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?Z?)?$/;

/** Reads a time in UTC, in milliseconds since the Unix epoch; `undefined` if it is none, or before. */
export function readTime(text: string): number | undefined {
  const [whole, date, minutes = '00:00', seconds = ':00'] = TIME.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const ms = Date.parse(`${date}T${minutes}${seconds}Z`);
  // Date.parse takes the 31st of a shorter month for the 1st of the next one.
  const isDate = !Number.isNaN(ms) && ms >= 0 && new Date(ms).toISOString().startsWith(`${date}T`);
  return isDate ? ms : undefined;
}
