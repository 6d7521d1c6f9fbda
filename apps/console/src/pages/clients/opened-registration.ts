import {
  DEFAULT_JSON_LIMITS,
  isJsonObject,
  JsonError,
  type JsonObject,
  parseJson,
} from '@vestibule/protocol/json';

/** A form with a larger registration does not carry it twice. */
const MAX_LENGTH = 16_384;

/**
 * Formats the registration that a form was opened with, so that a later conflict can tell who changed what; `undefined`
 * if it is too large for that.
 */
export function writeOpened(registration: JsonObject): string | undefined {
  const text = JSON.stringify(registration);
  return text.length <= MAX_LENGTH ? text : undefined;
}

/** Reads what a form carried; `undefined` if that is nothing, or nothing readable. */
export function readOpened(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined;
  try {
    const value = parseJson(text, { ...DEFAULT_JSON_LIMITS, maxMembers: 2_000 });
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
