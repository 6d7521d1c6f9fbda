import type { JsonValue } from './json.js';
import { endOfText, hasTrueNames } from './json-names.js';

/** How large a JSON text may be in structure; its length in characters is the caller's to bound. */
export interface JsonLimits {
  /** The deepest nesting of arrays and objects; a scalar has depth 0. */
  readonly maxDepth: number;
  /** The most object members in the whole text. */
  readonly maxMembers: number;
  /** The most elements of one array; without it as many as the text holds. */
  readonly maxElements?: number;
  /** The longest text or member name, in bytes of UTF-8; without it as long as the whole. */
  readonly maxTextBytes?: number;
  /** Whether control characters in texts, and halves of surrogate pairs, are the caller's to refuse. */
  readonly acceptsAnyText?: boolean;
}

/** A text is not JSON that can be taken from outside. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/**
 * Parses a JSON text from outside into values that are safe to walk, to serialise again and to store: within the
 * limits, no member given twice in one object, no member that reaches a prototype, no half of a surrogate pair and no
 * control character but tabs and line ends in any text, no whole number beyond 2^53, which could change when it is read.
 * Depth and members are limited before anything is built.
 * @throws JsonError whose message is a public sentence: it names the rule that was broken and nothing of the text.
 */
export function parseJson(text: string, limits: JsonLimits): JsonValue {
  const members = countMembers(text, limits);
  const value = parseText(text);
  // In valid JSON every member has one colon outside texts; of a repeated member only the last one was built.
  if (checkedMembers(value, limits) !== members) throw new JsonError('The JSON text repeats a member name');
  if (!hasTrueNames(text, value))
    throw new JsonError('The JSON text has a member name that is not read reliably');
  return value;
}

/** Counts the colons outside texts, and refuses what is too deep or too wide. */
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

/** Counts the members that were built, and refuses those that are not safe. Depth is bounded by now. */
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

/** What most texts are, and quickly told. */
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

/** Whether a text has no half of a surrogate pair and no control character but tabs and line ends. */
export function isSafeText(text: string): boolean {
  if (PRINTABLE_ASCII.test(text)) return true;
  return !SURROGATE.test(text) && !(CONTROL.test(text) && CONTROL.test(text.replace(LINE_BREAKS, '')));
}

/**
 * Beyond 2^53 every number is a whole one, and many are read as the same: `9007199254740993` as `9007199254740992`,
 * `1e400` as infinity. RFC 7493 section 2.2 wants them written as strings.
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
