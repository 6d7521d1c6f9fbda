import type { JsonValue } from './json.js';

/** How large a JSON text may be in structure; its length in characters is the caller's to bound. */
export interface JsonLimits {
  /** The deepest nesting of arrays and objects; a scalar has depth 0. */
  readonly maxDepth: number;
  /** The most object members in the whole text. */
  readonly maxMembers: number;
}

/**
 * Parses a JSON text from outside into values that are safe to walk, to serialise again and to store: within the
 * limits, no member given twice in one object, no member that reaches a prototype, no NUL and no half of a surrogate
 * pair in any text, no number beyond the double range. The limits hold before anything is built.
 * @throws SyntaxError whose message names the rule that was broken and nothing of the text.
 */
export function parseJson(text: string, limits: JsonLimits): JsonValue {
  const members = countMembers(text, limits);
  const value = parseText(text);
  // In valid JSON every member has one colon outside texts; of a repeated member only the last one was built.
  if (checkedMembers(value) !== members) throw new SyntaxError('JSON: a member is repeated');
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
    if (depth > limits.maxDepth) throw new SyntaxError('JSON: nested too deeply');
    if (members > limits.maxMembers) throw new SyntaxError('JSON: too many members');
  }
  return members;
}

/** Where the text that opens at `start` closes; the end of everything when it does not. */
function endOfText(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

function parseText(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text.
    throw new SyntaxError('JSON: malformed');
  }
}

/** Counts the members that were built, and refuses those that are not safe. Depth is bounded by now. */
function checkedMembers(value: JsonValue): number {
  if (typeof value === 'string') refuseUnstorable(value);
  if (typeof value === 'number') refuseInfinite(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + checkedMembers(item), 0);
  let members = 0;
  for (const [name, member] of Object.entries(value)) {
    refuseUnstorable(name);
    refusePrototype(name, member);
    members += 1 + checkedMembers(member);
  }
  return members;
}

function refuseUnstorable(text: string): void {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text))
    throw new SyntaxError('JSON: a text is not storable');
}

/** `1e400` reads as infinity, which JSON cannot write. */
function refuseInfinite(number: number): void {
  if (!Number.isFinite(number)) throw new SyntaxError('JSON: a number is out of range');
}

function refusePrototype(name: string, member: JsonValue): void {
  const reachesPrototype = name === '__proto__' || (name === 'constructor' && hasPrototype(member));
  if (reachesPrototype) throw new SyntaxError('JSON: a member reaches a prototype');
}

function hasPrototype(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
