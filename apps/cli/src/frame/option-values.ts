import { InvalidArgumentError } from '@commander-js/extra-typings';

const INTEGER = /^\d{1,15}$/;

/** Parses an integer option within bounds. */
export function integerValue(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = INTEGER.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}

const POSITION = /^[1-9]\d{0,17}$/;

/** Parses a position of at least 1. */
export function positionValue(text: string): bigint {
  if (!POSITION.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return BigInt(text);
}
