import { audienceClaim, JoseFailure, numericDateClaim, textClaim, verifyJwt } from '@vestibule/crypto/jwt';
import { followKeySet, KeySetUnavailableError, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import { type AsymmetricAlgorithm, JWT_TYP, MEDIA_TYPE } from '@vestibule/protocol/constants';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '@vestibule/protocol/json';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { HttpClient } from '../http/http-client.js';
import { IntrospectionFailure } from './introspection-failure.js';

/** Verifies introspection responses that are JWTs (RFC 9701). */
export interface SignedResponseVerifier {
  /** Media type to request. */
  readonly mediaType: string;
  /** Returns the members of a verified response. @throws IntrospectionFailure `signature` */
  verify(jwt: string): Promise<JsonObject>;
}

/** Dependencies of {@link signedResponseVerifier}. */
export interface SignedResponseDeps {
  readonly http: HttpClient;
  readonly keySet: () => Promise<URL>;
  /** Accepted algorithms: `introspection_signed_response_alg` of the client, or the default of the server. */
  readonly algorithms: readonly AsymmetricAlgorithm[];
  readonly issuer: string;
  readonly clientId: string;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly timeoutMs: number;
}

const MAX_LENGTH = 131_072;
const MAX_KEYS_BYTES = 262_144;
const KEYS_LIMITS = { maxDepth: 6, maxMembers: 1_000 };
/** Oldest accepted response, and the tolerated clock skew of the server, in seconds. */
const MAX_AGE_SECONDS = 60;
const LEEWAY_SECONDS = 10;

/**
 * Creates a verifier with the published keys of the issuer: signature, `typ`, `iss`, `aud` (this client) and `iat`
 * (RFC 9701 section 5). The signature does not say which token the request was about, so it does not replace TLS.
 */
export function signedResponseVerifier(deps: SignedResponseDeps): SignedResponseVerifier {
  const keys = followKeySet({ read: () => readKeySet(deps), monotonic: deps.monotonic });
  return {
    mediaType: MEDIA_TYPE.tokenIntrospectionJwt,
    verify: async (jwt) => {
      try {
        const { claims } = await verifyJwt(jwt, {
          keys: keys.publishedKeys,
          algorithms: deps.algorithms,
          types: [JWT_TYP.introspectionResponse],
          maxLength: MAX_LENGTH,
        });
        return introspectionOf(claims, deps);
      } catch (error) {
        if (error instanceof JoseFailure || error instanceof KeySetUnavailableError)
          throw new IntrospectionFailure(
            'signature',
            `the signed introspection response cannot be verified: ${error.message}`,
          );
        throw error;
      }
    },
  };
}

function introspectionOf(claims: JsonObject, { issuer, clientId, clock }: SignedResponseDeps): JsonObject {
  const now = nowSeconds(clock);
  const issuedAt = numericDateClaim(claims, 'iat');
  const { token_introspection: members } = claims;
  if (textClaim(claims, 'iss') !== issuer) throw new JoseFailure('claims', 'iss is not the issuer');
  if (!audienceClaim(claims)?.includes(clientId)) throw new JoseFailure('claims', 'aud is not this client');
  if (issuedAt === undefined || issuedAt > now + LEEWAY_SECONDS || now - issuedAt > MAX_AGE_SECONDS)
    throw new JoseFailure('claims', 'iat is not a time of the last minute');
  if (!isJsonObject(members)) throw new JoseFailure('claims', 'token_introspection is missing');
  return members;
}

async function readKeySet({ http, keySet, timeoutMs }: SignedResponseDeps) {
  try {
    const headers = { Accept: 'application/jwk-set+json, application/json' };
    const request = {
      method: 'GET',
      url: await keySet(),
      headers,
      timeoutMs,
      maxBytes: MAX_KEYS_BYTES,
    } as const;
    const { status, text } = await http.send(request);
    if (status !== 200) return { ok: false, reason: `the key set was not delivered: ${status}` } as const;
    return parsePublicJwks(parseJson(text, KEYS_LIMITS));
  } catch (error) {
    const isJson = error instanceof JsonError;
    return { ok: false, reason: isJson ? error.message : 'the key set cannot be fetched' } as const;
  }
}
