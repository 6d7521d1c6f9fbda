import { randomAlphanumeric } from '@vestibule/crypto';
import { type SigningKey, signJwt } from '@vestibule/crypto/jwt';
import { type Clock, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { JWT_TYP } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { AccessToken } from '@vestibule/resource-server';

/** Returns a signed token for the upstream in place of an access token, at once if it was signed before. */
export type SignUpstreamToken = (token: AccessToken) => string | Promise<string>;

/** Settings of {@link upstreamTokenSigner}. */
export interface UpstreamTokenOptions {
  readonly key: SigningKey;
  readonly issuer: string;
  /** Resource identifier, the only audience. */
  readonly audience: string;
  readonly lifetimeSeconds: number;
  readonly clock: Clock;
}

/**
 * Members that are copied from the introspection response: information about the end-user and the authorization (RFC 9068
 * section 2.2, RFC 8693 section 4.1, RFC 9396 section 9.1). `cnf` is not: the gateway checks the proof, and the upstream
 * sees none.
 */
const COPIED = [
  'scope',
  'username',
  'auth_time',
  'acr',
  'amr',
  'act',
  'authorization_details',
  'groups',
  'roles',
  'entitlements',
] as const;

interface SignedToken {
  /** From then on another one is signed, in seconds since the Unix epoch. */
  readonly usedUntil: number;
  text: string | Promise<string>;
}

/**
 * Signs JWT access tokens (RFC 9068), one for each access token and period: a signed token is used for half of its
 * lifetime, so that it arrives with at least the other half. It never outlives the access token.
 */
export function upstreamTokenSigner(options: UpstreamTokenOptions): SignUpstreamToken {
  const { key, lifetimeSeconds, clock } = options;
  const signed = new WeakMap<AccessToken, SignedToken>();
  return (token) => {
    const now = nowSeconds(clock);
    const known = signed.get(token);
    if (known !== undefined && now < known.usedUntil) return known.text;
    const entry: SignedToken = {
      usedUntil: now + Math.ceil(lifetimeSeconds / 2),
      text: signJwt({ key, typ: JWT_TYP.accessToken, claims: claimsOf(token, now, options) }).then(
        (text) => {
          entry.text = text;
          return text;
        },
        (error: unknown) => {
          if (signed.get(token) === entry) signed.delete(token);
          throw error;
        },
      ),
    };
    signed.set(token, entry);
    return entry.text;
  };
}

function claimsOf(
  { claims, subject, clientId, expiresAt }: AccessToken,
  now: EpochSeconds,
  { issuer, audience, lifetimeSeconds }: UpstreamTokenOptions,
): JsonObject {
  const copied = COPIED.flatMap((name) => {
    const value = claims[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(copied),
    iss: issuer,
    aud: audience,
    // The client acts for itself if there is no end-user (RFC 9068 section 2.2).
    sub: subject ?? clientId ?? '',
    ...(clientId !== undefined && { client_id: clientId }),
    iat: now,
    exp: Math.min(now + lifetimeSeconds, expiresAt ?? Number.POSITIVE_INFINITY),
    jti: randomAlphanumeric(22),
  };
}
