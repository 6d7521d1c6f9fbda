import { type PublicJwkSet, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { isJsonObject } from '@vestibule/protocol/json';
import { type EntityId, parseEntityId } from '../entity-id.js';

/** The trusted anchors, with their keys as obtained out of band; those named first are preferred. */
export type TrustAnchors = ReadonlyMap<EntityId, PublicJwkSet>;

/**
 * Parses the configured anchors: entity identifier to JWK set.
 * @throws TypeError with a message for operators if there is none, or one is malformed or has no usable key.
 */
export function parseTrustAnchors(value: unknown, allowHosts: readonly string[] = []): TrustAnchors {
  if (!isJsonObject(value) || Object.keys(value).length === 0)
    throw new TypeError('must be an object of entity identifiers and JWK sets');
  return new Map(
    Object.entries(value).map(([id, jwks]) => {
      const entityId = parseEntityId(id, allowHosts);
      if (entityId === undefined) throw new TypeError('names an anchor that is not an entity identifier');
      const result = parsePublicJwks(jwks);
      if (!result.ok) throw new TypeError(`holds a malformed key set: ${result.reason}`);
      if (result.jwks.usableKeys.length === 0) throw new TypeError('holds a key set without a usable key');
      return [entityId, result.jwks];
    }),
  );
}
