import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@vestibule/protocol';

/** The addresses and the time that an assertion is made for. */
export interface AssertionOccasion {
  readonly clientId: string;
  readonly tokenEndpoint: string;
  readonly nowSeconds: number;
}

/** What a published client library signs when it authenticates: header members beside `alg`, and claims. */
export interface LibraryAssertion {
  readonly library: string;
  readonly header: JsonObject;
  readonly claims: (occasion: AssertionOccasion) => JsonObject;
}

/** Assertions as published libraries make them without settings of their own. */
export const LIBRARY_ASSERTIONS: readonly LibraryAssertion[] = [
  {
    library: 'Authlib',
    header: { typ: 'JWT' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      iss: clientId,
      sub: clientId,
      aud: tokenEndpoint,
      iat: nowSeconds,
      exp: nowSeconds + 3_600,
      jti: randomUUID().replaceAll('-', ''),
    }),
  },
  {
    library: 'Spring Security',
    header: { kid: 'k1' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      iss: clientId,
      sub: clientId,
      aud: [tokenEndpoint],
      jti: randomUUID(),
      iat: nowSeconds,
      exp: nowSeconds + 60,
    }),
  },
  {
    library: 'Nimbus',
    header: { kid: 'k1' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      sub: clientId,
      aud: tokenEndpoint,
      iss: clientId,
      exp: nowSeconds + 60,
      jti: randomUUID(),
    }),
  },
  {
    library: 'mod_auth_openidc',
    header: { kid: 'k1', typ: 'JWT' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      jti: randomUUID().replaceAll('-', ''),
      iss: clientId,
      sub: clientId,
      aud: tokenEndpoint,
      exp: nowSeconds + 60,
      iat: nowSeconds,
    }),
  },
  {
    library: 'go-oidfed',
    header: { kid: 'k1', typ: 'JWT' },
    claims: ({ clientId, tokenEndpoint, nowSeconds }) => ({
      iss: clientId,
      sub: clientId,
      aud: [tokenEndpoint],
      iat: nowSeconds,
      exp: nowSeconds + 300,
      jti: randomUUID(),
    }),
  },
];
