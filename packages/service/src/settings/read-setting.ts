import { DEFAULT_JSON_LIMITS, parseJson } from '@vestibule/protocol/json';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type Reading, splitList } from './setting.js';
import { type Keywords, keywordsOf } from './setting-keywords.js';

const INTEGER = /^-?\d{1,15}$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Converts the text of an environment variable to the value type of its schema. */
export function readSetting(schema: TSchema, text: string): Reading<unknown> {
  const keywords = keywordsOf(schema);
  if (keywords.read !== undefined) return keywords.read(text);
  const reading = convert(keywords, text);
  if ('problem' in reading) return reading;
  return Value.Check(schema, reading.value) ? reading : { problem: `must be ${expectation(keywords)}` };
}

/** Describes the expected text of a setting, for problems and for the reference. */
export function expectation(keywords: Keywords): string {
  const { type, form, choices, minimum, maximum, minLength, maxLength, isTextList } = keywords;
  if (form !== undefined) return form;
  if (choices !== undefined) return `one of ${choices.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'integer') return `an integer${range(minimum, maximum)}`;
  if (type === 'number') return `a number${range(minimum, maximum)}`;
  if (isTextList) return 'a comma-separated list';
  if (type === 'array' || type === 'object') return `a JSON ${type}`;
  return `a string${range(minLength, maxLength, ' characters')}`;
}

function convert(keywords: Keywords, text: string): Reading<unknown> {
  const problem = { problem: `must be ${expectation(keywords)}` };
  if (keywords.isTextList) return { value: splitList(text) };
  switch (keywords.type) {
    case 'integer':
      return INTEGER.test(text) ? { value: Number(text) } : problem;
    case 'number':
      return NUMBER.test(text) ? { value: Number(text) } : problem;
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : problem;
    case 'array':
    case 'object':
      return json(text) ?? problem;
    default:
      return { value: text };
  }
}

/** Parsed as strictly as a request body, because a repeated member would silently hide the first one. */
function json(text: string): Reading<unknown> | undefined {
  try {
    return { value: parseJson(text, DEFAULT_JSON_LIMITS) };
  } catch {
    return undefined;
  }
}

function range(minimum: number | undefined, maximum: number | undefined, unit = ''): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (maximum === undefined) return ` of at least ${minimum}${unit}`;
  return minimum === undefined
    ? ` of at most ${maximum}${unit}`
    : ` ${unit === '' ? 'from' : 'of'} ${minimum} to ${maximum}${unit}`;
}
