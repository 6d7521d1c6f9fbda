import { randomBytes, randomUUID } from 'node:crypto';
import type { JsonObject } from '@vestibule/protocol/json';

/** URLs and time of an assertion. */
export interface AssertionOccasion {
  readonly clientId: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly nowSeconds: number;
}

/** The assertion of a published client library: header members beside `alg`, and claims. */
export interface LibraryAssertion {
  /**
   * Name of the library, with the version whose assertion was recorded; without a version it is derived from the source
   * code.
   */
  readonly library: string;
  /** With `private_key_jwt`. */
  readonly header: JsonObject;
  readonly claims: (occasion: AssertionOccasion) => JsonObject;
}

/** Assertions of published libraries with their default settings. */
export const LIBRARY_ASSERTIONS: readonly LibraryAssertion[] = [
  {
    library: 'Authlib 1.9.10',
    header: { typ: 'JWT' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      iss: clientId,
      aud: tokenEndpoint,
      sub: clientId,
      iat: nowSeconds,
      exp: nowSeconds + 3_600,
      jti: randomBytes(18).toString('hex'),
    }),
  },
  {
    library: 'Spring Security 7.1.2',
    header: { kid: 'k1' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      sub: clientId,
      aud: tokenEndpoint,
      iss: clientId,
      exp: nowSeconds + 60,
      iat: nowSeconds,
      jti: randomUUID(),
    }),
  },
  {
    library: 'Nimbus OAuth 2.0 SDK 11.39',
    header: { kid: 'k1' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      iss: clientId,
      sub: clientId,
      aud: tokenEndpoint,
      exp: nowSeconds + 60,
      jti: randomBytes(32).toString('base64url'),
    }),
  },
  {
    library: 'mod_auth_openidc 2.4.12.3',
    header: { kid: 'k1' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      iss: clientId,
      sub: clientId,
      aud: tokenEndpoint,
      jti: randomBytes(16).toString('base64url'),
      exp: nowSeconds + 60,
      iat: nowSeconds,
    }),
  },
  {
    library: 'zitadel/oidc 3.52.0',
    header: { kid: 'k1' },
    claims: ({ clientId, issuer, nowSeconds }) => ({
      iss: clientId,
      sub: clientId,
      aud: [issuer],
      iat: nowSeconds,
      exp: nowSeconds + 3_600,
      jti: randomUUID(),
    }),
  },
  {
    library: 'go-oidfed',
    header: { kid: 'k1' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      iss: clientId,
      sub: clientId,
      iat: nowSeconds,
      exp: nowSeconds + 60,
      aud: tokenEndpoint,
      jti: randomUUID(),
    }),
  },
];
