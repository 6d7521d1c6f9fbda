import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type PublicJwkSet, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { nowSeconds } from '@vestibule/protocol';
import { JWT_TYP } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { frozenClock } from '@vestibule/protocol/testing';
import type { EntityId } from '../entity-id.js';
import { anEntityId } from './entity-ids.js';

/** The current time of the tests. */
export const NOW = nowSeconds(frozenClock());

/** Lifetime of the statements of the tests, in seconds. */
export const LIFETIME = 3_600;

/** An entity of a federation with an ES256 key pair. */
export interface TestEntity {
  readonly id: EntityId;
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** Its public keys as in statements. */
  readonly jwks: JsonObject;
}

/** An entity with a key of its own. */
export function anEntity(id: string, kid: string = `key of ${id}`): TestEntity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid, use: 'sig', alg: 'ES256' };
  return { id: anEntityId(id), kid, privateKey, jwks: { keys: [jwk] } };
}

/** The keys of an entity, as pinned by a configuration. */
export function keysOf({ jwks }: TestEntity): PublicJwkSet {
  const result = parsePublicJwks(jwks);
  if (!result.ok) throw new TypeError(result.reason);
  return result.jwks;
}

/** Signs any claims under any header with the key of an entity, unlike a correct library. */
export function signAs(
  { kid, privateKey }: TestEntity,
  claims: JsonObject | string,
  header: JsonObject = {},
): string {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const head = Object.entries({ alg: 'ES256', typ: JWT_TYP.entityStatement, kid, ...header });
  const kept = Object.fromEntries(head.filter(([, value]) => value !== null));
  const payload = typeof claims === 'string' ? claims : JSON.stringify(claims);
  const input = `${encode(JSON.stringify(kept))}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** The claims of the configuration of an entity. A change to `undefined` leaves a claim out. */
export function configurationClaims(entity: TestEntity, changes: Changes = {}): JsonObject {
  const common = { iss: entity.id, sub: entity.id, iat: NOW, exp: NOW + LIFETIME, jwks: entity.jwks };
  return changed({ ...common, metadata: {} }, changes);
}

/** The claims of the statement of a superior about a subordinate. A change to `undefined` leaves a claim out. */
export function subordinateClaims(
  superior: TestEntity,
  entity: TestEntity,
  changes: Changes = {},
): JsonObject {
  return changed(
    { iss: superior.id, sub: entity.id, iat: NOW, exp: NOW + LIFETIME, jwks: entity.jwks },
    changes,
  );
}

/** Claims to replace, and claims to leave out. */
export type Changes = Readonly<Record<string, JsonObject[string] | undefined>>;

function changed(claims: JsonObject, changes: Changes): JsonObject {
  const all = Object.entries({ ...claims, ...changes });
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
