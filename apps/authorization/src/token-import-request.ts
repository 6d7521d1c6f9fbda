import { isUtf8 } from 'node:buffer';
import type { BodyLine } from '@vestibule/http/bodies';
import { CLIENT_ID_MAX_LENGTH, DomainError, epochSeconds, parseClientId } from '@vestibule/protocol';
import {
  DEFAULT_JSON_LIMITS,
  isJsonObject,
  JsonError,
  type JsonValue,
  MAX_BODY_BYTES,
  parseJson,
} from '@vestibule/protocol/json';
import { parseScope } from '@vestibule/scopes';
import { JWT_MAX_LENGTH } from '@vestibule/tokens';
import { IMPORTED_TOKEN_KINDS, type ImportedToken, type ImportRefusal } from '@vestibule/tokens/importing';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  DirectAuthorizationRequest,
  MAX_NAME_LENGTH,
  Members,
  SAFE_TEXT,
} from './direct-authorization-request.js';

/** Most tokens of a JSON request. */
export const MAX_IMPORTED_TOKENS = 1_000;

/** Largest JSON request, in bytes. */
export const MAX_IMPORT_BYTES = 4 * 1024 * 1024;

const { sub, username, aud, nbf, act, dat, claims } = DirectAuthorizationRequest.properties;

const Text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: SAFE_TEXT, description });

const Time = (description: string) => Type.Integer({ minimum: 0, maximum: 253_402_300_799, description });

/** A token of another authorization server. For refresh tokens, `username` and what follows `exp` are not stored. */
export const TokenImport = Type.Object(
  {
    token: Text('The token: 22 to 1024 characters, not a JWT.', JWT_MAX_LENGTH),
    kind: Type.Enum([...IMPORTED_TOKEN_KINDS], {
      description: '`access` tokens can be introspected and revoked, `refresh` tokens can be revoked.',
    }),
    client_id: Text('The client that has the token.', CLIENT_ID_MAX_LENGTH),
    sub,
    username,
    scope: Type.Optional(Type.String({ maxLength: 8192, description: 'Space-separated scope values.' })),
    sid: Type.Optional(
      Text(
        'The session that the token ends with; absent for a token that outlives its session.',
        MAX_NAME_LENGTH,
      ),
    ),
    iat: Time('When the token was issued, NumericDate.'),
    exp: Time('When the token expires, NumericDate: at most a year after `iat`.'),
    aud,
    nbf,
    cnf: Type.Optional(Members('The key that the token is bound to (RFC 7800).')),
    act,
    dat,
    claims,
  },
  { $id: 'TokenImport', additionalProperties: false },
);

/** The JSON body of POST /direct-authz/tokens. */
export const TokenImportRequest = Type.Object(
  {
    tokens: Type.Array(TokenImport, {
      minItems: 1,
      maxItems: MAX_IMPORTED_TOKENS,
      description: 'Different tokens.',
    }),
  },
  { $id: 'TokenImportRequest', additionalProperties: false },
);

/** A token of a request, or why it is refused. */
export type ParsedImport =
  | { readonly token: ImportedToken; readonly refusal?: undefined }
  | { readonly token?: undefined; readonly refusal: ImportRefusal };

/**
 * Returns the tokens of a JSON body, unparsed.
 * @throws DomainError `invalid_request` for a body of another form
 */
export function entriesOf(body: unknown): readonly JsonValue[] {
  if (!isJsonObject(body)) throw new DomainError('invalid_request', 'The body must be a JSON object');
  const { tokens, ...others } = body;
  if (Object.keys(others).length > 0)
    throw new DomainError('invalid_request', 'The body contains an unknown member');
  if (!Array.isArray(tokens) || tokens.length === 0 || tokens.length > MAX_IMPORTED_TOKENS)
    throw new DomainError(
      'invalid_request',
      `tokens: must be an array of 1 to ${MAX_IMPORTED_TOKENS} objects`,
    );
  return tokens;
}

/** Parses one token of a JSON body, to which the limits of a line apply too. */
export function parseListedImport(entry: JsonValue): ParsedImport {
  const text = JSON.stringify(entry);
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) return TOO_LONG;
  // The schema limits the other members.
  const isOpen = isJsonObject(entry) && OPEN_MEMBERS.some((name) => Object.hasOwn(entry, name));
  return isOpen ? parseImportText(text) : parseImport(entry);
}

/** Parses one token of a request. */
function parseImport(entry: JsonValue): ParsedImport {
  if (!VALIDATOR.Check(entry)) return { refusal: whyMalformed(entry) };
  const scope = parseScope(entry.scope ?? '');
  if (scope === undefined) return refused('scope', 'must be space-separated scope values');
  const clientId = parseClientId(entry.client_id);
  if (clientId === undefined) return refused('client_id', 'is not a client identifier');
  const { token: text, kind, iat, exp, nbf, sub, username, sid, aud, cnf, act, dat, claims } = entry;
  return {
    token: {
      kind,
      text,
      clientId,
      scope,
      issuedAt: epochSeconds(iat),
      expiresAt: epochSeconds(exp),
      ...(nbf !== undefined && { notBefore: epochSeconds(nbf) }),
      ...(sub !== undefined && { subject: sub }),
      ...(username !== undefined && { username }),
      ...(sid !== undefined && { sessionId: sid }),
      ...(aud && { audience: aud }),
      ...(cnf && { confirmation: cnf }),
      ...(act && { actor: act }),
      ...(dat && { data: dat }),
      ...(claims && { claims }),
    },
  };
}

/** Parses a line with one token. */
export function parseImportLine({ bytes }: BodyLine): ParsedImport {
  if (bytes === undefined) return TOO_LONG;
  if (!isUtf8(bytes)) return { refusal: { problem: 'is not valid UTF-8' } };
  return parseImportText(bytes.toString('utf8'));
}

function parseImportText(text: string): ParsedImport {
  try {
    return parseImport(parseJson(text, DEFAULT_JSON_LIMITS));
  } catch (error) {
    if (error instanceof JsonError) return { refusal: { problem: `cannot be read: ${error.message}` } };
    throw error;
  }
}

const TOO_LONG: ParsedImport = { refusal: { problem: `must have at most ${MAX_BODY_BYTES} bytes` } };

/** Members with any JSON object. */
const OPEN_MEMBERS = ['cnf', 'act', 'dat', 'claims'] as const;

const VALIDATOR = Compile(TokenImport);
const MEMBERS: Readonly<Record<string, TSchema>> = TokenImport.properties;
const MEMBER_NAMES = Object.keys(MEMBERS);

function whyMalformed(entry: JsonValue): ImportRefusal {
  if (!isJsonObject(entry)) return { problem: 'must be a JSON object' };
  if (Object.keys(entry).some((name) => !Object.hasOwn(MEMBERS, name)))
    return { problem: `has an unknown member; the members are ${MEMBER_NAMES.join(', ')}` };
  const missing = TokenImport.required.find((name) => !Object.hasOwn(entry, name));
  if (missing !== undefined) return { member: missing, problem: 'is missing' };
  const member = VALIDATOR.Errors(entry)[0]?.instancePath.split('/')[1] ?? '';
  const schema = MEMBERS[member];
  return schema === undefined
    ? { problem: 'is malformed' }
    : { member, problem: `must be ${expected(schema)}` };
}

/** Describes the values that a member may have. */
function expected(schema: TSchema): string {
  const {
    type,
    enum: values,
    items,
    minLength = 0,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
  } = schema as Expected;
  if (values !== undefined) return values.join(' or ');
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'array' && items !== undefined)
    return `an array of ${minItems} to ${maxItems} values, each ${expected(items)}`;
  if (type === 'string')
    return `a string of ${minLength} to ${maxLength} characters without control characters`;
  return 'a JSON object';
}

interface Expected {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: TSchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function refused(member: string, problem: string): ParsedImport {
  return { refusal: { member, problem } };
}
