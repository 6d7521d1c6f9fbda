import type { JsonValue } from './json.js';
import { endOfText } from './json-names.js';
import { JsonError, type JsonLimits, parseJson } from './parse-json.js';

/** Which members of an object to read, and the limits of each. */
export interface JsonMembers {
  /** Members with other names are left out, whatever their value. */
  isRead(name: string): boolean;
  readonly limits: JsonLimits;
}

/**
 * Parses the JSON text of an object and keeps only the members to read, each as `parseJson` would parse it. Other
 * members are left out whatever they contain, since unknown members must be ignored (RFC 7591 section 2). Any other
 * JSON value is returned as it is, for the caller to refuse. The whole text is parsed once; the caller must bound its
 * length.
 * @throws JsonError whose message is a public sentence that begins with the name of the member.
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

/** Yields the members of an object by name, each as its JSON text; the whole text is valid JSON. */
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

/** The end of a member's value: the following comma, or the end of its object. */
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
