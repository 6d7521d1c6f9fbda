import type { Client } from '@vestibule/clients';
import {
  type PublicJwkSet,
  parsePublicJwks,
  type RemoteKeySets,
  selectVerificationKeys,
  type VerificationKeySource,
} from '@vestibule/crypto';
import type { JsonObject } from '@vestibule/protocol';

/** What finding the keys of a client takes; without `remoteKeySets` there are none behind addresses. */
export interface ClientKeyDeps {
  readonly remoteKeySets?: RemoteKeySets;
}

/** Finds the public keys of a client that may verify a token, from its `jwks` or from behind its `jwks_uri`. */
export function clientVerificationKeys(
  { remoteKeySets }: ClientKeyDeps,
  { metadata }: Client,
): VerificationKeySource {
  const { jwks_uri: address } = metadata;
  if (address !== undefined) return remoteKeySets?.verificationKeys(address) ?? (() => []);
  const held = heldKeySet(metadata);
  return (hint) => (held === undefined ? [] : selectVerificationKeys(held, hint));
}

/**
 * The key set of a client, from its `jwks` or from behind its `jwks_uri`; `undefined` when there is none to be had.
 * @param isGoodEnough when it says no, a set behind an address is fetched again, within the limits of that
 */
export async function clientKeySet(
  { remoteKeySets }: ClientKeyDeps,
  { metadata }: Pick<Client, 'metadata'>,
  isGoodEnough: (keySet: PublicJwkSet) => boolean,
): Promise<PublicJwkSet | undefined> {
  const { jwks_uri: address } = metadata;
  return address === undefined ? heldKeySet(metadata) : remoteKeySets?.keySet(address, isGoodEnough);
}

/** Key sets by the member that they were read from: a client that is held is read, and its keys imported, once. */
const readSets = new WeakMap<JsonObject, PublicJwkSet>();

function heldKeySet({ jwks }: Client['metadata']): PublicJwkSet | undefined {
  if (jwks === undefined) return undefined;
  const known = readSets.get(jwks);
  if (known !== undefined) return known;
  const result = parsePublicJwks(jwks);
  if (!result.ok) return undefined;
  readSets.set(jwks, result.jwks);
  return result.jwks;
}
