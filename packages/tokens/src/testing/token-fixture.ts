import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  type DataKeyStore,
  openDataKeys,
  parseKeyEncryptionKeys,
  type WrappedDataKey,
} from '@vestibule/crypto/data-keys';
import { signJwt } from '@vestibule/crypto/jwt';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import type { ClientId, Issuer } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { type FrozenClock, frozenClock, seededRandom } from '@vestibule/protocol/testing';
import { parseScope } from '@vestibule/scopes';
import type { AccessTokenGrant } from '../issuing/access-token-grant.js';
import { issueIdentifierToken } from '../issuing/issue-identifier-token.js';
import { issueJwtToken } from '../issuing/issue-jwt-token.js';
import {
  memoryAccessTokenStore,
  memoryInitialAccessTokenStore,
  memoryRevocationStore,
} from './memory-stores.js';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example' as Issuer;

/** A resource server of the tests. */
export const RS1 = { clientId: 'rs1' as ClientId };

/** Creates the dependencies of token operations: real keys, stores in memory, a fixed clock. */
export async function aTokenFixture() {
  const clock: FrozenClock = frozenClock();
  const accessTokens = memoryAccessTokenStore();
  const { digester } = await openDataKeys({
    store: memoryDataKeyStore(),
    keyEncryptionKeys: parseKeyEncryptionKeys(randomBytes(32).toString('base64url')),
    clock,
    random: { bytes: randomBytes },
  });
  const deps = {
    clock,
    issuer: ISSUER,
    random: seededRandom(),
    digester,
    keys: aKeyRing(),
    accessTokens,
    revocations: memoryRevocationStore(accessTokens),
    initialAccessTokens: memoryInitialAccessTokenStore(),
    algorithm: 'ES256' as AsymmetricAlgorithm,
    tokenLength: 43,
    pruneAudience: true,
  };
  const identifier = async (deviation: Partial<AccessTokenGrant> = {}) =>
    (await issueIdentifierToken(deps, aGrant(deviation))).accessToken;
  const jwt = async (deviation: Partial<AccessTokenGrant> = {}) =>
    (await issueJwtToken(deps, aGrant(deviation))).accessToken;
  /** Signs any claims with any type with the key of the ring. */
  const signed = (typ: string, claims: JsonObject) =>
    signJwt({ key: deps.keys.signingKey('ES256'), typ, claims });
  return { ...deps, identifier, jwt, signed };
}

/** Makes a grant of ten minutes to one client, for any audience. */
export function aGrant(deviation: Partial<AccessTokenGrant> = {}): AccessTokenGrant {
  const scope = parseScope('read write');
  if (scope === undefined) throw new TypeError('not a scope');
  return { clientId: 'client' as ClientId, scope, subject: 'alice', lifetimeSeconds: 600, ...deviation };
}

/** Creates a key ring with one ES256 key. */
export function aKeyRing(): Pick<KeyRing, 'signingKey' | 'verificationKeys' | 'refresh'> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = 'k1';
  return {
    signingKey: () => ({ algorithm: 'ES256', kid, key: privateKey }),
    verificationKeys: async (hint) => (hint.kid === kid ? [{ algorithm: 'ES256', key: publicKey }] : []),
    refresh: async () => undefined,
  };
}

function memoryDataKeyStore(): DataKeyStore {
  const keys: WrappedDataKey[] = [];
  return {
    list: async () => keys,
    insertFirst: async (key) => keys.push(key) > 0,
    insert: async (key) => {
      keys.push(key);
    },
    update: async () => {},
  };
}
