declare const epochSecondsBrand: unique symbol;

/** Whole seconds since the Unix epoch in UTC, as in a NumericDate (RFC 7519 section 2). */
export type EpochSeconds = number & { readonly [epochSecondsBrand]: true };

/** The last second of the year 9999: later times are mistakes, and not every store can hold them. */
const MAX_EPOCH_SECONDS = 253_402_300_799;

/** Whether a value is a supported NumericDate: a whole number of seconds from 1970 to 9999. */
export function isEpochSeconds(value: unknown): value is EpochSeconds {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_EPOCH_SECONDS;
}

/**
 * Brands a number of seconds, dropping fractions.
 * @throws RangeError when the result is not within 1970 to 9999.
 */
export function epochSeconds(value: number): EpochSeconds {
  const seconds = Math.floor(value);
  if (!isEpochSeconds(seconds)) throw new RangeError('not a NumericDate between 1970 and 9999');
  return seconds;
}

/** Converts to a `Date`, for stores that need one. */
export function toDate(seconds: EpochSeconds): Date {
  return new Date(seconds * 1000);
}
