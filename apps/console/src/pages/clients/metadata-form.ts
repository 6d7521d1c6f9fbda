import type { Client } from '@vestibule/clients';
import { isUpdateMember } from '@vestibule/clients/registration';
import { orderMetadata } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import {
  DEFAULT_JSON_LIMITS,
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '@vestibule/protocol/json';
import { type TProperties, Type } from 'typebox';
import { sentText } from '../../frame/sent-text.js';
import { shownJson } from '../../frame/shown-text.js';
import { type FieldName, METADATA_FIELDS, type MetadataField } from './metadata-fields.js';

const text = Type.Optional(Type.String());

/** The fields of the form of a client. */
export const METADATA_FORM_FIELDS: TProperties = {
  ...Object.fromEntries(METADATA_FIELDS.map(({ name }) => [name, text])),
  rest: text,
};

/** The name of the field with all members that have none of their own, as a JSON object. */
export const REST = 'rest';

/** What is in the form of a client. */
export interface MetadataForm {
  readonly fields: { readonly [Name in FieldName]?: string };
  readonly rest: string;
}

/** What is wrong with a form: by field, or, if it is about none of them, in general. */
export interface MetadataProblems {
  readonly fields: { readonly [Name in FieldName | typeof REST]?: string };
  readonly general?: string;
}

/** Returns the registration of a client as the form edits it: its metadata and its `data`. */
export function registrationOf({ metadata, data }: Pick<Client, 'metadata' | 'data'>): JsonObject {
  return { ...orderMetadata(metadata), ...(data && { data }) };
}

/** Writes a registration into a form. A value that its field cannot hold stays in the JSON. */
export function formOf(registration: JsonObject): MetadataForm {
  const fields: { [Name in FieldName]?: string } = {};
  const rest = new Map(Object.entries(registration));
  for (const field of METADATA_FIELDS) {
    const value = rest.get(field.name);
    const entered = value === undefined ? undefined : fieldText(field, value);
    if (entered === undefined) continue;
    fields[field.name] = entered;
    rest.delete(field.name);
  }
  return { fields, rest: rest.size === 0 ? '' : shownJson(Object.fromEntries(rest)) };
}

/** Reads what was sent. */
export function sentForm(sent: object): MetadataForm {
  const fields: { [Name in FieldName]?: string } = {};
  for (const { name } of METADATA_FIELDS) {
    const value = sentText(sent, name);
    if (value !== undefined) fields[name] = value;
  }
  return { fields, rest: sentText(sent, REST) ?? '' };
}

/** The registration in a form, not validated; or what makes the form unreadable. */
export type ReadForm = { readonly registration: JsonObject } | { readonly problems: MetadataProblems };

/** Parses a form. Empty fields leave their members out, so that the defaults apply. */
export function readForm({ fields, rest }: MetadataForm): ReadForm {
  const members = readRest(rest);
  if (typeof members === 'string') return { problems: { fields: { [REST]: members } } };
  const registration: Record<string, JsonValue> = { ...members };
  for (const field of METADATA_FIELDS) {
    const value = fieldValue(field, fields[field.name] ?? '');
    if (value === undefined) continue;
    if (Object.hasOwn(members, field.name))
      return {
        problems: {
          fields: { [REST]: `${field.name} has a field of its own: remove it here, or empty the field.` },
        },
      };
    registration[field.name] = value;
  }
  return { registration };
}

const MEMBER = /^([a-z_]+)(?:[#[.][^:]*)?: /;

/** Errors of an operation that the operator can correct in the form. */
const CORRECTABLE: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
  'too_many_requests',
]);

/**
 * Assigns the error of an operation to the field of the member that it names.
 * @throws the error itself if no change of the form can help
 */
export function problemsOf(error: unknown): MetadataProblems {
  if (!(error instanceof DomainError) || !CORRECTABLE.has(error.code)) throw error;
  const { description } = error;
  const [, member = ''] = MEMBER.exec(description) ?? [];
  const field = METADATA_FIELDS.find(({ name }) => name === member && !description.startsWith(`${name}#`));
  if (field !== undefined) return { fields: { [field.name]: description } };
  return isUpdateMember(member) ? { fields: { [REST]: description } } : { fields: {}, general: description };
}

/** Assigns reasons to the fields of the members that they are about. */
export function memberProblems(
  reasons: readonly (readonly [member: string, reason: string])[],
): MetadataProblems {
  const fields: { [Name in FieldName | typeof REST]?: string } = {};
  for (const [member, reason] of reasons) {
    const name = METADATA_FIELDS.find((field) => field.name === member)?.name ?? REST;
    fields[name] = [fields[name], reason].filter((text) => text !== undefined).join(' ');
  }
  return { fields };
}

/** A registration with many lists and languages. */
const LIMITS = { ...DEFAULT_JSON_LIMITS, maxMembers: 2_000 };

function readRest(rest: string): JsonObject | string {
  if (rest.trim() === '') return {};
  try {
    const value = parseJson(rest, LIMITS);
    return isJsonObject(value) ? value : 'It must be a JSON object.';
  } catch (error) {
    if (error instanceof JsonError) return `${error.message}.`;
    throw error;
  }
}

/** The text of a member in its field; `undefined` if the field would change it. */
function fieldText({ kind, options }: MetadataField, value: JsonValue): string | undefined {
  if (kind === 'lines') {
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && isLine(one));
    return isList ? value.join('\n') : undefined;
  }
  if (typeof value !== 'string' || !isOneLine(value)) return undefined;
  return options === undefined || options.includes(value) ? value : undefined;
}

/** Browsers remove line breaks from fields of one line, and an empty field means none. */
function isOneLine(value: string): boolean {
  return value !== '' && !/[\r\n]/.test(value);
}

function isLine(value: string): boolean {
  return isOneLine(value) && value.trim() === value;
}

function fieldValue({ kind }: MetadataField, entered: string): JsonValue | undefined {
  if (kind !== 'lines') return entered === '' ? undefined : entered;
  const lines = entered.split(/\r\n|\r|\n/).map((line) => line.trim());
  const values = lines.filter((line) => line !== '');
  return values.length === 0 ? undefined : values;
}
