import { audienceClaim, JoseFailure, numericDateClaim, textClaim } from '@vestibule/crypto/jwt';
import { type PublicJwkSet, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import type { EntityMetadata } from '@vestibule/metadata/policy';
import { readSecureUrl } from '@vestibule/metadata/uris';
import type { EpochSeconds } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { type EntityId, parseEntityId } from '../entity-id.js';
import { FederationFailure, type FederationReason, ofMember } from '../federation-failure.js';

/** A claim, or `undefined` if it is absent; inherited properties are not claims. */
export function claimOf(claims: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** @throws FederationFailure `claims` if the claim is missing or not an entity identifier. */
export function requireEntity(claims: JsonObject, name: string, allowHosts: readonly string[]): EntityId {
  const entityId = parseEntityId(claimOf(claims, name), allowHosts);
  if (entityId === undefined) throw new FederationFailure('claims', `${name} is not an entity identifier`);
  return entityId;
}

/** @throws FederationFailure `claims` if the claim is missing or not a time. */
export function requireTime(claims: JsonObject, name: string): EpochSeconds {
  const time = optionalTime(claims, name);
  if (time === undefined) throw new FederationFailure('claims', `${name} is missing`);
  return time;
}

/** @throws FederationFailure `claims` if the claim is present and not a time. */
export function optionalTime(claims: JsonObject, name: string): EpochSeconds | undefined {
  return orFailure(() => numericDateClaim(claims, name));
}

/** @throws FederationFailure `claims` if the claim is missing or not a string. */
export function requireText(claims: JsonObject, name: string): string {
  const text = orFailure(() => textClaim(claims, name));
  if (text === undefined) throw new FederationFailure('claims', `${name} is missing`);
  return text;
}

/** @throws FederationFailure `claims` if `aud` is present and neither a string nor a list of strings. */
export function readAudience(claims: JsonObject): readonly string[] | undefined {
  return orFailure(() => audienceClaim(claims));
}

/**
 * A list of entity identifiers.
 * @param name The member, for the message.
 * @throws FederationFailure with the reason if it is not one.
 */
export function readEntities(
  name: string,
  value: JsonValue | undefined,
  allowHosts: readonly string[],
  reason: FederationReason,
): readonly EntityId[] {
  if (!Array.isArray(value)) throw new FederationFailure(reason, `${name} is no list of entity identifiers`);
  return value.map((item) => {
    const entityId = parseEntityId(item, allowHosts);
    if (entityId === undefined)
      throw new FederationFailure(reason, `${name} names something that is not an entity identifier`);
    return entityId;
  });
}

/**
 * A list of strings.
 * @param name The member, for the message.
 * @throws FederationFailure with the reason if it is not one.
 */
export function readTexts(name: string, value: JsonValue, reason: FederationReason): readonly string[] {
  if (!Array.isArray(value)) throw new FederationFailure(reason, `${name} is no list of texts`);
  const texts = value.filter((item) => typeof item === 'string');
  if (texts.length < value.length)
    throw new FederationFailure(reason, `${name} holds something that is no text`);
  return texts;
}

/**
 * A key set; in the final profile every key has an identifier.
 * @throws FederationFailure `key_set`.
 */
export function readKeySet(value: unknown, needsKeyIds: boolean): PublicJwkSet {
  const result = parsePublicJwks(value);
  if (!result.ok) throw new FederationFailure('key_set', result.reason);
  if (needsKeyIds && result.jwks.keys.some(({ kid }) => typeof kid !== 'string' || kid === ''))
    throw new FederationFailure('key_set', 'a key has no kid');
  return result.jwks;
}

/** Maximum length of an endpoint URL in characters, as for entity identifiers. */
const MAX_ENDPOINT_LENGTH = 2_048;

/** The URL of an endpoint of an entity; `undefined` if it is not a permitted URL. */
export function readEndpoint(value: JsonValue | undefined, allowHosts: readonly string[]): URL | undefined {
  if (typeof value !== 'string' || value.length > MAX_ENDPOINT_LENGTH) return undefined;
  const reading = readSecureUrl(value, { ...STRICT_METADATA_SETTINGS, egressAllowHosts: allowHosts });
  return reading === undefined || reading.hasFragment ? undefined : new URL(value);
}

/** @throws FederationFailure with the reason if the value is not an object. */
export function requireObject(value: unknown, reason: FederationReason, detail: string): JsonObject {
  if (!isJsonObject(value)) throw new FederationFailure(reason, detail);
  return value;
}

/** The members of an object that are not `null`, which counts as absent. */
export function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function orFailure<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof JoseFailure) throw new FederationFailure('claims', cause.message, cause);
    throw cause;
  }
}

/**
 * Parses a `metadata` claim. A `null` member counts as absent, both entity types and parameters: some programs write
 * `null` for every parameter without a value.
 * @throws FederationFailure `metadata`.
 */
export function readMetadata(claim: JsonValue | undefined): EntityMetadata {
  if (claim === undefined) return {};
  const entityTypes = withoutNulls(requireObject(claim, 'metadata', 'metadata is not an object'));
  return Object.fromEntries(
    Object.entries(entityTypes).map(([entityType, value]) => {
      const detail = ofMember(entityType, 'the metadata of the entity type is not an object');
      const members = requireObject(value, 'metadata', detail);
      return [entityType, withoutNulls(members)];
    }),
  );
}
