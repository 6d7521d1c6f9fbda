import { isJsonObject } from '@vestibule/protocol/json';
import Type, { type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { taggedMember } from './language-names.js';
import {
  ClientMetadataSchema,
  LANGUAGE_TAGGED_MEMBERS,
  MAX_STRING_LENGTH,
  MEMBER_NAMES,
} from './metadata-schema.js';

/** Maximum length of a client identifier that a file can name, in characters. */
const MAX_ID_LENGTH = 256;

const TAGGED = `^(?:${LANGUAGE_TAGGED_MEMBERS.join('|')})#[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$`;

const IDENTIFIER = {
  type: 'string',
  description: 'Identifier of the client, which never changes.',
  minLength: 1,
  maxLength: MAX_ID_LENGTH,
  pattern: '^[!-~](?:[ -~]*[!-~])?$',
} as const;

const DATA = { type: 'object', description: 'Custom data; at most 16 KB and 8 levels.' } as const;

/** The members of a client in a file that are no metadata. */
const OWN_MEMBERS: ReadonlyMap<string, TSchema> = new Map<string, TSchema>([
  ['client_id', Type.Unsafe<string>(IDENTIFIER)],
  ['data', Type.Unsafe<object>(DATA)],
]);

const MEMBER_SCHEMAS: ReadonlyMap<string, TSchema> = new Map([
  ...OWN_MEMBERS,
  ...Object.entries<TSchema>(ClientMetadataSchema.properties),
]);

const TAGGED_SCHEMA = Type.String({ minLength: 1, maxLength: MAX_STRING_LENGTH });

let validators: ReadonlyMap<string, Validator> | undefined;

/** Compiled at their first use, which services do not make. */
function validatorOf(name: string): Validator | undefined {
  validators ??= new Map(
    [...MEMBER_SCHEMAS, [TAGGED, TAGGED_SCHEMA] as const].map(([member, schema]) => [
      member,
      Compile(schema),
    ]),
  );
  return validators.get(name) ?? (taggedMember(name) === undefined ? undefined : validators.get(TAGGED));
}

/** Why members of registrations and responses do not belong in files. */
const REFUSED_MEMBERS: ReadonlyMap<string, string> = new Map([
  ...['client_secret', 'preferred_client_secret', 'client_secret_hash', 'registration_access_token'].map(
    (name) =>
      [name, 'must not be in a file: remove the secret, and replace it if others may have read it'] as const,
  ),
  ...['client_id_issued_at', 'client_secret_expires_at', 'registration_client_uri'].map(
    (name) => [name, 'must not be in a file: the server issues it'] as const,
  ),
  ['preferred_client_id', 'is not a member of a client in a file: use client_id'],
]);

/** A problem of a client in a file. Values are never quoted. */
export interface ClientFileProblem {
  /** The member, as in `redirect_uris[3]`; empty for the client as a whole. */
  readonly member: string;
  readonly problem: string;
}

/**
 * Lists every problem of the form of a client in a file: unknown members, wrong types, and members that must not be in
 * files. Everything else is decided by the rules of registration.
 */
export function clientFileProblems(client: unknown): readonly ClientFileProblem[] {
  if (!isJsonObject(client))
    return [{ member: '', problem: 'must be an object with the members of a client' }];
  const missing = Object.hasOwn(client, 'client_id') ? [] : [{ member: 'client_id', problem: 'is missing' }];
  return [
    ...missing,
    ...Object.entries(client).flatMap(([name, value]) => {
      const refused = REFUSED_MEMBERS.get(name);
      if (refused !== undefined) return [{ member: name, problem: refused }];
      const validator = validatorOf(name);
      if (validator === undefined) return [{ member: name, problem: 'is not a member of a client' }];
      if (validator.Check(value)) return [];
      return validator.Errors(value).map((error) => ({
        member: `${name}${placeOf(error.instancePath)}`,
        problem: problemOf(error),
      }));
    }),
  ];
}

/**
 * The JSON Schema (draft 7, which editors know) of a file: a client, or a list of clients. Made of the schema that
 * validates registrations.
 */
export function clientFileSchema(): object {
  const client = {
    type: 'object',
    description: 'A client. Members that are left out have their defaults.',
    required: ['client_id'],
    additionalProperties: false,
    properties: Object.fromEntries(
      ['client_id', ...MEMBER_NAMES, 'data'].map((name) => [name, MEMBER_SCHEMAS.get(name)]),
    ),
    patternProperties: { [TAGGED]: TAGGED_SCHEMA },
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Clients of Vestibule',
    anyOf: [{ $ref: '#/definitions/client' }, { type: 'array', items: { $ref: '#/definitions/client' } }],
    definitions: { client },
  };
}

function placeOf(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
}

function problemOf(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'type':
      return `must be of the type ${[error.params.type].flat().join(' or ')}`;
    case 'enum':
      return `must be ${error.params.allowedValues.join(' or ')}`;
    case 'pattern':
      return 'must be printable ASCII characters without a space at either end';
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'maxItems':
      return `must have at most ${error.params.limit} elements`;
    default:
      return error.message;
  }
}
