import type { JsonValue } from './json.js';
import { endOfText, hasTrueNames } from './json-names.js';

/** Structural limits of a JSON text. The caller bounds its length. */
export interface JsonLimits {
  /** Maximum nesting of arrays and objects; a scalar has depth 0. */
  readonly maxDepth: number;
  /** Maximum number of object members in the whole text. */
  readonly maxMembers: number;
  /** Maximum number of elements of one array. Default: no limit. */
  readonly maxElements?: number;
  /** Maximum length of a string or member name, in bytes of UTF-8. Default: no limit. */
  readonly maxTextBytes?: number;
  /** Whether control characters in strings and lone surrogates are accepted, for the caller to refuse. */
  readonly acceptsAnyText?: boolean;
}

/** The error for a JSON text that is malformed or exceeds the limits. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/**
 * Parses an untrusted JSON text into values that are safe to walk, serialize and store: within the limits, without
 * repeated member names, members that reach a prototype, lone surrogates, control characters other than tabs and line
 * breaks, and whole numbers beyond 2^53, which could change when parsed. Depth and members are checked before anything
 * is built.
 * @throws JsonError whose message is a public sentence that names the violated rule and quotes nothing.
 */
export function parseJson(text: string, limits: JsonLimits): JsonValue {
  const members = countMembers(text, limits);
  const value = parseText(text);
  // In valid JSON every member has one colon outside strings; of repeated members only the last is built.
  if (checkedMembers(value, limits) !== members) throw new JsonError('The JSON text repeats a member name');
  if (!hasTrueNames(text, value))
    throw new JsonError('The JSON text has a member name that is not read reliably');
  return value;
}

/** Counts the colons outside strings, and refuses a text that is too deep or has too many members. */
function countMembers(text: string, limits: JsonLimits): number {
  let members = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const mark = text[index];
    if (mark === '"') index = endOfText(text, index);
    else if (mark === ':') members += 1;
    else if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    if (depth > limits.maxDepth) throw new JsonError('The JSON text is nested too deeply');
    if (members > limits.maxMembers) throw new JsonError('The JSON text has too many members');
  }
  return members;
}

function parseText(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text.
    throw new JsonError('The text is not valid JSON');
  }
}

/** Counts the built members and refuses unsafe values. The depth is bounded at this point. */
function checkedMembers(value: JsonValue, limits: JsonLimits): number {
  if (typeof value === 'string') refuseText(value, limits);
  if (typeof value === 'number') refuseInexact(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return checkedElements(value, limits);
  let members = 0;
  for (const [name, member] of Object.entries(value)) {
    refuseText(name, limits);
    refusePrototype(name, member);
    members += 1 + checkedMembers(member, limits);
  }
  return members;
}

function checkedElements(elements: readonly JsonValue[], limits: JsonLimits): number {
  if (elements.length > (limits.maxElements ?? elements.length))
    throw new JsonError('An array in the JSON text is too long');
  return elements.reduce((sum: number, element) => sum + checkedMembers(element, limits), 0);
}

/** Fast path: most strings are printable ASCII. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const SURROGATE = /\p{Surrogate}/u;
const CONTROL = /\p{Cc}/u;
const LINE_BREAKS = /[\t\n\r]/g;

function refuseText(text: string, { maxTextBytes, acceptsAnyText = false }: JsonLimits): void {
  const isPlain = PRINTABLE_ASCII.test(text);
  if (!isPlain && !acceptsAnyText && !isSafeText(text))
    throw new JsonError('A string in the JSON text holds a control character or a broken character');
  if (maxTextBytes !== undefined && (isPlain ? text.length : Buffer.byteLength(text)) > maxTextBytes)
    throw new JsonError('A string in the JSON text is too long');
}

/** Whether a string has no lone surrogates and no control characters except tabs and line breaks. */
export function isSafeText(text: string): boolean {
  if (PRINTABLE_ASCII.test(text)) return true;
  return !SURROGATE.test(text) && !(CONTROL.test(text) && CONTROL.test(text.replace(LINE_BREAKS, '')));
}

/**
 * Beyond 2^53 every number is whole, and different ones parse to the same value: `9007199254740993` to
 * `9007199254740992`, `1e400` to infinity. RFC 7493 section 2.2 recommends strings for them.
 */
function refuseInexact(number: number): void {
  if (!(Math.abs(number) <= Number.MAX_SAFE_INTEGER))
    throw new JsonError('A number in the JSON text is beyond 2^53 and must be written as a string');
}

function refusePrototype(name: string, member: JsonValue): void {
  const reachesPrototype = name === '__proto__' || (name === 'constructor' && hasPrototype(member));
  if (reachesPrototype) throw new JsonError('The JSON text uses a reserved member name');
}

function hasPrototype(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
