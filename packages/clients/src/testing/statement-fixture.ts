import { generateKeyPairSync } from 'node:crypto';
import { type SigningKey, signJwt } from '@vestibule/crypto/jwt';
import { createRemoteKeySets, type PublicJwkSet, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { type Issuer, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { frozenClock } from '@vestibule/protocol/testing';
import {
  createSoftwareStatementVerifier,
  type SoftwareStatementVerifierDeps,
} from '../software-statements/software-statement-verifier.js';
import { parseStatementIssuers } from '../software-statements/statement-issuers.js';

/** A test issuer with configured keys. */
export const VENDOR = 'https://vendor.example';

/** A test issuer whose keys are at a URL. */
export const REMOTE_VENDOR = 'Remote Vendor Ltd';

/** Our issuer in the tests. */
export const ISSUER = 'https://as.example.org' as Issuer;

/** Generates a key pair and its public key set. */
export function aKeyPair(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks: JsonObject = { keys: [{ ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid }] };
  const key: SigningKey = { algorithm: 'ES256', kid, key: privateKey };
  return { jwks, key, publicKey, privateKey };
}

/** Creates two trusted issuers and a real verifier with a frozen clock. */
export function statementFixture(changes: Partial<SoftwareStatementVerifierDeps> = {}) {
  const clock = frozenClock();
  const vendor = aKeyPair('v1');
  const remoteVendor = aKeyPair('r1');
  const fetched: string[] = [];
  const served: { jwks: unknown } = { jwks: remoteVendor.jwks };
  const fetch = async (address: string): Promise<PublicJwkSet | undefined> => {
    fetched.push(address);
    const result = parsePublicJwks(served.jwks);
    return result.ok ? result.jwks : undefined;
  };
  const verifier = createSoftwareStatementVerifier({
    issuers: parseStatementIssuers({
      [VENDOR]: vendor.jwks,
      [REMOTE_VENDOR]: 'https://remote.example/jwks',
    }),
    remoteKeySets: createRemoteKeySets({ fetch, clock }),
    clock,
    issuer: ISSUER,
    ...changes,
  });
  const state = (claims: JsonObject = {}, key = vendor.key) =>
    signJwt({ key, typ: 'JWT', claims: { iss: VENDOR, ...claims } });
  return { clock, now: nowSeconds(clock), vendor, remoteVendor, fetched, served, verifier, state };
}
