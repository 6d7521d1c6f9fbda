import { isStorableJson, storedJsonBytes } from '@vestibule/metadata';
import { isMetadataMember } from '@vestibule/metadata/language-names';
import { type ClientId, DomainError, parseClientId } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';

/** The parsed body of a registration or update. `null` counts as absent. */
export interface RegistrationRequest {
  /** The whole body, from which the metadata rules select their members. */
  readonly metadata: JsonObject;
  /** Custom data (registration/API.md#client-metadata). */
  readonly data?: JsonObject;
  readonly preferredId?: ClientId;
  readonly preferredSecret?: string;
}

/** Maximum size of `data`, serialized with every number written out. */
export const MAX_DATA_BYTES = 16_384;

/** Maximum depth of `data`; the object itself is the first level. */
export const MAX_DATA_DEPTH = 8;

const PARAMETERS: ReadonlySet<string> = new Set(['data', 'preferred_client_id', 'preferred_client_secret']);

/** Members that the service issues, which an update may repeat (RFC 7592 section 2.2). */
const ISSUED_MEMBERS: ReadonlySet<string> = new Set([
  'client_id',
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'registration_access_token',
  'registration_client_uri',
]);

/** Whether a member of a registration is known; all others are ignored (RFC 7591 section 2). */
export function isRegistrationMember(name: string): boolean {
  return PARAMETERS.has(name) || isMetadataMember(name);
}

/** Whether a member of an update is known. */
export function isUpdateMember(name: string): boolean {
  return ISSUED_MEMBERS.has(name) || isRegistrationMember(name);
}

/** Maximum length of a preset identifier, in characters; those of federation entities may be longer. */
const MAX_PRESET_ID_LENGTH = 256;

/** URL parsers remove these segments from a path, so the registration could not be addressed. */
const DOT_SEGMENTS = ['.', '..'];

const PRINTABLE_SECRET = /^[\x20-\x7e]{1,256}$/;

/** Minimum length of a preset secret, in characters. */
const MIN_PRESET_SECRET_LENGTH = 32;

/** Whether a string can be preset as an identifier. */
export function isPresetId(value: unknown): boolean {
  const id = parseClientId(value);
  return id !== undefined && id.length <= MAX_PRESET_ID_LENGTH && !DOT_SEGMENTS.includes(id);
}

/** Whether a request can preset a string as a secret; the algorithms of the client may need a longer one. */
function isPresetSecret(value: string): boolean {
  return value.length >= MIN_PRESET_SECRET_LENGTH && isImportableSecret(value);
}

/** Whether a client can have such a secret at all: 1 to 256 printable ASCII characters (RFC 6749 appendix A.2). */
export function isImportableSecret(value: string): boolean {
  return PRINTABLE_SECRET.test(value);
}

/**
 * Parses a request body.
 * @throws DomainError `invalid_request` when it is not an object; `invalid_client_metadata` when `data` is not an
 *   object within the limits, or a preset identifier or secret is malformed.
 */
export function parseRegistrationRequest(body: unknown): RegistrationRequest {
  if (!isJsonObject(body)) throw new DomainError('invalid_request', 'The body must be a JSON object.');
  const data = parseData(present(body, 'data'));
  const preferredId = parsePreferredId(present(body, 'preferred_client_id'));
  const preferredSecret = parsePreferredSecret(present(body, 'preferred_client_secret'));
  return {
    metadata: body,
    ...(data !== undefined && { data }),
    ...(preferredId !== undefined && { preferredId }),
    ...(preferredSecret !== undefined && { preferredSecret }),
  };
}

/** Returns a member; `undefined` if it is absent or `null`. */
export function present(body: JsonObject, member: string): JsonValue | undefined {
  return Object.hasOwn(body, member) ? (body[member] ?? undefined) : undefined;
}

function parseData(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw refusal('data', 'must be an object');
  if (!isStorableJson(value, MAX_DATA_DEPTH)) {
    throw refusal(
      'data',
      `must not be nested deeper than ${MAX_DATA_DEPTH} levels, nor hold control characters or numbers beyond 2^53`,
    );
  }
  if (storedJsonBytes(value) > MAX_DATA_BYTES)
    throw refusal('data', `must not be larger than ${MAX_DATA_BYTES} bytes of JSON`);
  return value;
}

function parsePreferredId(value: JsonValue | undefined): ClientId | undefined {
  if (value === undefined) return undefined;
  const id = parseClientId(value);
  if (id === undefined || !isPresetId(id)) {
    throw refusal(
      'preferred_client_id',
      'must be 1 to 256 printable ASCII characters without a space at either end; . and .. are not possible',
    );
  }
  return id;
}

function parsePreferredSecret(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !isPresetSecret(value)) {
    throw refusal('preferred_client_secret', 'must be 32 to 256 printable ASCII characters');
  }
  return value;
}

function refusal(member: string, rule: string): DomainError {
  return new DomainError('invalid_client_metadata', `${member}: ${rule}`);
}
