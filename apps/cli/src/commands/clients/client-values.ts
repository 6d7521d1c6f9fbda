import { InvalidArgumentError } from '@commander-js/extra-typings';
import { MAX_NAME_PART_LENGTH, MIN_NAME_PART_LENGTH } from '@vestibule/clients/management';
import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/;

/** Parses a date or a time in UTC. */
export function instantValue(text: string): EpochSeconds {
  const seconds = TIME.test(text) ? Math.floor(Date.parse(text) / 1000) : Number.NaN;
  if (seconds >= 0) return epochSeconds(seconds);
  throw new InvalidArgumentError('It must be a date (2026-01-31) or a time in UTC (2026-01-31T12:00:00Z).');
}

/** Parses a searchable part of a name. */
export function namePartValue(text: string): string {
  const { length } = [...text];
  if (length >= MIN_NAME_PART_LENGTH && length <= MAX_NAME_PART_LENGTH) return text;
  throw new InvalidArgumentError(
    `It must be a string of ${MIN_NAME_PART_LENGTH} to ${MAX_NAME_PART_LENGTH} characters.`,
  );
}
