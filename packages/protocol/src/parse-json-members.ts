import type { JsonValue } from './json.js';
import { endOfText } from './json-names.js';
import { JsonError, type JsonLimits, parseJson } from './parse-json.js';

/** Which members of an object are read, and within which limits each of them. */
export interface JsonMembers {
  /** Members with other names are left out, whatever they hold. */
  isRead(name: string): boolean;
  readonly limits: JsonLimits;
}

/**
 * Parses a JSON text whose value should be an object, and keeps of an object only the members that are read: each as
 * `parseJson` takes it. Other members are left out whatever is in them, since a reader has to ignore members that it
 * does not understand (RFC 7591 section 2). Any other JSON value is given as it is, for the caller to refuse. The whole
 * text is built once: its length is the caller's to bound.
 * @throws JsonError whose message is a public sentence, with the name of the member that it is about in front.
 */
export function parseJsonMembers(text: string, { isRead, limits }: JsonMembers): JsonValue {
  const value = parseSyntax(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = new Map<string, JsonValue>();
  for (const [name, written] of membersOf(text)) {
    if (!isRead(name)) continue;
    if (members.has(name)) throw new JsonError(`${name}: The JSON text repeats a member name`);
    members.set(name, parseMember(name, written, limits));
  }
  return Object.fromEntries(members);
}

function parseSyntax(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text.
    throw new JsonError('The text is not valid JSON');
  }
}

function parseMember(name: string, written: string, limits: JsonLimits): JsonValue {
  try {
    return parseJson(written, limits);
  } catch (error) {
    throw error instanceof JsonError ? new JsonError(`${name}: ${error.message}`) : error;
  }
}

/** The members of an object by name, each as it is written; the text is valid JSON. */
function* membersOf(text: string): Iterable<readonly [string, string]> {
  let index = text.indexOf('{') + 1;
  for (;;) {
    const opens = text.indexOf('"', index);
    if (opens === -1) return;
    const closes = endOfText(text, opens);
    const start = text.indexOf(':', closes) + 1;
    const end = endOfValue(text, start);
    yield [JSON.parse(text.slice(opens, closes + 1)), text.slice(start, end)];
    if (text[end] !== ',') return;
    index = end + 1;
  }
}

/** Where the value of a member ends: at the comma behind it, or at the end of its object. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const mark = text[index];
    if (mark === '"') index = endOfText(text, index);
    else if (depth === 0 && (mark === ',' || mark === '}')) return index;
    else if (mark === '{' || mark === '[') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
  }
  return text.length;
}
