import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { CHOICE_MEMBERS, ChoicesSchema } from './choice-members.js';
import { isStorableJson } from './json-safety.js';
import { languageName, taggedMember } from './language-names.js';
import type { Choices } from './metadata-choices.js';
import { invalidMetadata } from './metadata-error.js';
import {
  ClientMetadataSchema,
  MAX_ARRAY_LENGTH,
  MAX_STRING_LENGTH,
  MEMBER_NAMES,
  type MemberName,
  type RecognizedMembers,
} from './metadata-schema.js';
import { isPlainText } from './plain-text.js';

/** Known members with the right types, in schema order. */
export interface RecognizedMetadata {
  readonly members: RecognizedMembers;
  /** Language-tagged variants by their full names, as in `client_name#de`, sorted. */
  readonly localized: ReadonlyMap<string, string>;
  /** Lists of supported values, of which one each is registered. */
  readonly choices: Choices;
}

/** Maximum nesting of a JWK set. */
const MAX_DEPTH = 6;

const SCHEMAS: ReadonlyMap<string, TSchema> = new Map([
  ...Object.entries<TSchema>(ClientMetadataSchema.properties),
  ...[...CHOICE_MEMBERS.keys()].map((name): [string, TSchema] => [name, ChoicesSchema]),
]);

const VALIDATORS: ReadonlyMap<string, Validator> = new Map(
  [...SCHEMAS].map(([name, schema]) => [name, Compile(schema)]),
);

/**
 * Selects the known members of a request and checks their types. `null` means absent, unknown members are left out, and
 * repeated array elements are removed.
 * @throws DomainError `invalid_client_metadata` when a member has the wrong type, is too long, or contains text that
 *   cannot be stored or displayed as it is.
 */
export function recognizeMembers(input: JsonObject): RecognizedMetadata {
  const members: Partial<Record<MemberName, JsonValue>> = {};
  for (const name of MEMBER_NAMES) {
    const value = ownValue(input, name);
    if (value !== null) members[name] = checkedValue(name, value);
  }
  return {
    members: members as RecognizedMembers,
    localized: localizedMembers(input),
    choices: givenChoices(input),
  };
}

function ownValue(input: JsonObject, name: string): JsonValue {
  return Object.hasOwn(input, name) ? (input[name] ?? null) : null;
}

function givenChoices(input: JsonObject): Choices {
  const given = new Map<string, readonly string[]>();
  for (const name of CHOICE_MEMBERS.keys()) {
    const value = ownValue(input, name);
    if (value === null) continue;
    const checked = checkedValue(name, value);
    if (Array.isArray(checked))
      given.set(
        name,
        checked.filter((item) => typeof item === 'string'),
      );
  }
  return given;
}

function checkedValue(name: string, value: JsonValue, shownName: string = name): JsonValue {
  if (VALIDATORS.get(name)?.Check(value) !== true)
    throw invalidMetadata(...unexpected(name, value, shownName));
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) refuseDeceptive(`${shownName}[${index}]`, element);
    return [...new Set<JsonValue>(value)];
  }
  refuseDeceptive(shownName, value);
  return value;
}

function refuseDeceptive(name: string, value: JsonValue): void {
  if (typeof value === 'string' ? !isPlainText(value) : !isStorableJson(value, MAX_DEPTH)) {
    throw invalidMetadata(name, 'must not contain control, invisible or text-reordering characters');
  }
}

/** Names a value of the wrong type and says what it must be; the first wrong element if only elements are wrong. */
function unexpected(name: string, value: JsonValue, shownName: string): [string, string] {
  const maxItems = Number(schemaOf(name)['maxItems']);
  if (schemaOf(name)['type'] !== 'array' || !Array.isArray(value) || value.length > maxItems)
    return [shownName, expectation(name)];
  const index = value.findIndex(
    (element) => typeof element !== 'string' || element.length > MAX_STRING_LENGTH,
  );
  return [`${shownName}[${index}]`, `must be a string of at most ${MAX_STRING_LENGTH} characters`];
}

function localizedMembers(input: JsonObject): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const languages = new Set<string>();
  for (const name of Object.keys(input).sort()) {
    const value = input[name] ?? null;
    const base = taggedMember(name);
    if (base === undefined || value === null) continue;
    const language = languageName(name);
    if (languages.has(language)) throw invalidMetadata(base, 'is given twice in one language');
    languages.add(language);
    found.set(name, checkedValue(base, value, name) as string);
    if (found.size > MAX_ARRAY_LENGTH) throw invalidMetadata(base, 'is given in too many languages');
  }
  return found;
}

function expectation(name: string): string {
  const schema = schemaOf(name);
  if (Array.isArray(schema['enum'])) return `must be one of ${schema['enum'].join(', ')}`;
  if (schema['type'] === 'string') {
    const least = schema['minLength'] === undefined ? 'at most' : `${schema['minLength']} to`;
    return `must be a string of ${least} ${schema['maxLength']} characters`;
  }
  if (schema['type'] === 'array') return `must be an array of at most ${schema['maxItems']} strings`;
  if (schema['type'] === 'boolean') return 'must be true or false';
  if (schema['type'] === 'integer') return 'must be a whole number of seconds';
  return 'must be an object';
}

function schemaOf(name: string): Readonly<Record<string, unknown>> {
  return { ...SCHEMAS.get(name) };
}
