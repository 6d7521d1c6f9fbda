import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import type { Client } from '@vestibule/clients';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import { type SigningKey, secretSigningKey, signJwt } from '@vestibule/crypto/jwt';
import { createRemoteKeySets, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { openTestDataKeys } from '@vestibule/crypto/testing';
import {
  type AsymmetricAlgorithm,
  type HmacAlgorithm,
  JWT_BEARER_ASSERTION_TYPE,
} from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { ClientAssertionDeps } from '../assertions/client-assertion-deps.js';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import type { CredentialParameters, CredentialRequest } from '../credential-request.js';
import { clientFixture, ISSUER } from './client-fixture.js';
import { memoryReplayStore } from './memory-replay-store.js';

/** A secret that is long enough for every HMAC algorithm. */
export const LONG_SECRET = 'a-client-secret-of-more-than-sixty-four-bytes-in-length-0123456789';

/** URL of the keys of clients with a `jwks_uri`. */
export const JWKS_URI = 'https://rs1.example/jwks';

/** Generates a key pair: the private key ready to sign, the public key as a JWK. */
export function aKeyPair(kid = 'k1', algorithm: AsymmetricAlgorithm = 'ES256') {
  const { publicKey, privateKey } = generatePair(algorithm);
  const jwk: JsonObject = { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid };
  const key: SigningKey = { algorithm, kid, key: privateKey };
  return { jwk, key, publicKey, privateKey };
}

function generatePair(algorithm: AsymmetricAlgorithm): KeyPairKeyObjectResult {
  if (algorithm.startsWith('Ed')) return generateKeyPairSync('ed25519');
  const namedCurve = CURVES[algorithm];
  return namedCurve === undefined
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve });
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** Builds a request with only an assertion. */
export function assertionRequest(assertion: string, form: CredentialParameters = {}): CredentialRequest {
  return {
    form: { client_assertion: assertion, client_assertion_type: JWT_BEARER_ASSERTION_TYPE, ...form },
  };
}

/** Creates clients with keys and encrypted secrets, the dependencies of checking assertions, and a frozen clock. */
export async function assertionFixture() {
  const fixture = await clientFixture();
  const { encryptor } = await openTestDataKeys(fixture.clock);
  const pair = aKeyPair();
  const replays = memoryReplayStore();
  const fetched: string[] = [];
  const served: { jwks: unknown } = { jwks: { keys: [pair.jwk] } };
  const fetch = async (address: string) => {
    fetched.push(address);
    const result = parsePublicJwks(served.jwks);
    return result.ok ? result.jwks : undefined;
  };
  const assertions: ClientAssertionDeps = { issuer: ISSUER, encryptor, replays };
  const deps: ClientAuthDeps = {
    ...fixture,
    assertions,
    remoteKeySets: createRemoteKeySets({ fetch, clock: fixture.clock }),
  };
  let made = 0;
  /** Claims of a valid assertion with changes; `undefined` leaves a claim out. */
  const claims = (changes: Readonly<Record<string, unknown>> = {}): JsonObject => {
    made += 1;
    const all = {
      iss: 'rs1',
      sub: 'rs1',
      aud: ISSUER,
      jti: `jti-${made}`,
      exp: fixture.now + 60,
      ...changes,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JsonObject;
  };
  const secretKey = (algorithm: HmacAlgorithm = 'HS256', secret = LONG_SECRET) =>
    secretSigningKey(secret, algorithm);
  const encrypted = (secret: string) =>
    encryptor.encrypt(secret, secretAssociatedData(fixture.register().id));
  return {
    ...fixture,
    deps,
    /** The dependencies with other assertion settings or stores. */
    depsWith: (changes: Partial<ClientAssertionDeps>): ClientAuthDeps => ({
      ...deps,
      assertions: { ...assertions, ...changes },
    }),
    encryptor,
    pair,
    replays,
    fetched,
    served,
    claims,
    secretKey,
    /** Signs an assertion of the client, with its own key pair by default. */
    assertion: (changes?: Readonly<Record<string, unknown>>, key: SigningKey = pair.key, typ = 'JWT') =>
      signJwt({ key, typ, claims: claims(changes) }),
    /** Registers the client with its public key in `jwks`. */
    registerKeys: (metadata: JsonObject = {}, deviation: Partial<Client> = {}) =>
      fixture.register(deviation, {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [pair.jwk] },
        ...metadata,
      }),
    /** Registers the client with a secret that can be decrypted. */
    registerSecret: async (metadata: JsonObject = {}, expiresAt?: Client['expiresAt']) => {
      const digest = fixture.digester.digest('client-secret', LONG_SECRET);
      const secret = {
        digest,
        encrypted: await encrypted(LONG_SECRET),
        ...(expiresAt !== undefined && { expiresAt }),
      };
      return fixture.register({ secret }, { token_endpoint_auth_method: 'client_secret_jwt', ...metadata });
    },
  };
}

/** Fixture of the client assertion tests. */
export type AssertionFixture = Awaited<ReturnType<typeof assertionFixture>>;
