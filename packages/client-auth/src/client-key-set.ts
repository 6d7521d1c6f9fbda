import type { Client } from '@vestibule/clients';
import type { VerificationKeySource } from '@vestibule/crypto/jwt';
import {
  type PublicJwkSet,
  parsePublicJwks,
  type RemoteKeySets,
  verificationKeysIn,
} from '@vestibule/crypto/public-keys';
import type { JsonObject } from '@vestibule/protocol/json';

/** Dependencies of finding the keys of a client. Without `remoteKeySets`, keys at a `jwks_uri` are not available. */
export interface ClientKeyDeps {
  readonly remoteKeySets?: RemoteKeySets;
}

/** Finds the public keys of a client that may verify a token, from its `jwks` or `jwks_uri`. */
export function clientVerificationKeys(
  { remoteKeySets }: ClientKeyDeps,
  { metadata }: Client,
): VerificationKeySource {
  const { jwks_uri: address } = metadata;
  if (address !== undefined) return remoteKeySets?.verificationKeys(address) ?? (() => []);
  const held = heldKeySet(metadata);
  return held === undefined ? () => [] : verificationKeysIn(held);
}

/**
 * Returns the key set of a client from its `jwks` or `jwks_uri`; `undefined` if it is not available.
 * @param isGoodEnough if it returns false, a remote set is fetched again, within the limits on that
 */
export async function clientKeySet(
  { remoteKeySets }: ClientKeyDeps,
  { metadata }: Pick<Client, 'metadata'>,
  isGoodEnough: (keySet: PublicJwkSet) => boolean,
): Promise<PublicJwkSet | undefined> {
  const { jwks_uri: address } = metadata;
  return address === undefined ? heldKeySet(metadata) : remoteKeySets?.keySet(address, isGoodEnough);
}

/** Parsed key sets by their metadata member, so that a cached client's keys are imported once. */
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
