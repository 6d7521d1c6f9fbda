import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { CompactSign, type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

/** A key pair of an entity. */
export interface EntityKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JsonObject;
}

/** Members to set; those set to `undefined` are left out. */
export type MemberChanges = Readonly<Record<string, JsonValue | undefined>>;

/** Deviations of a statement, wrong or merely different. */
export interface StatementChanges {
  readonly header?: MemberChanges;
  readonly claims?: MemberChanges;
  /** The signing key in place of the entity's; `kid` stays that of the entity unless the header says otherwise. */
  readonly key?: EntityKey;
  /** Applied to the token last. */
  readonly spoil?: (token: string) => string;
}

/** Makes a key pair whose identifier is its thumbprint. */
export async function createEntityKey(algorithm = 'ES256'): Promise<EntityKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  const { kty, crv, x, y, n, e } = await exportJWK(publicKey);
  const parts = Object.entries({ kty, crv, x, y, n, e }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const jwk = Object.fromEntries(parts);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, algorithm, privateKey, publicJwk: { ...jwk, kid, alg: algorithm, use: 'sig' } };
}

/** Signs claims as an entity does, with the given deviations. */
export async function signStatement(
  own: EntityKey,
  typ: string,
  claims: JsonObject,
  { header: headerChanges, claims: claimChanges, key = own, spoil = (token) => token }: StatementChanges = {},
): Promise<string> {
  const header = changed({ alg: key.algorithm, kid: own.kid, typ }, headerChanges);
  const { crit: _crit, ...honest } = header;
  const payload = Buffer.from(JSON.stringify(changed(claims, claimChanges)));
  const signed = await new CompactSign(payload)
    .setProtectedHeader({ ...honest, alg: key.algorithm })
    .sign(key.privateKey);
  const isHonest = header['alg'] === key.algorithm && header['crit'] === undefined;
  return spoil(isHonest ? signed : withHeader(signed, header));
}

/** No library signs such headers: they replace the original header, and the signature does not match. */
function withHeader(token: string, header: JsonObject): string {
  return token.replace(/^[^.]+/, Buffer.from(JSON.stringify(header)).toString('base64url'));
}

/** An object with some members changed. */
export function changed(members: JsonObject, changes: MemberChanges = {}): JsonObject {
  const entries = Object.entries({ ...members, ...changes });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
