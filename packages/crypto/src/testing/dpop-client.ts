import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { JsonObject } from '@vestibule/protocol/json';
import { jwkThumbprint } from '../public-keys/jwk-thumbprint.js';
import { sha256 } from '../sha256.js';

/** A client that proves its key (RFC 9449). */
export interface DpopClient {
  readonly publicJwk: JsonObject;
  readonly privateJwk: JsonObject;
  /** `jkt` of its tokens. */
  readonly thumbprint: string;
  /** Signs a proof with a new `jti` for `GET` with an access token. */
  proof(accessToken: string, claims: JsonObject): string;
  /** Signs a proof with exactly these claims. Members of the header can deviate from those of a proof. */
  sign(claims: JsonObject, header?: JsonObject): string;
}

/** Creates a client with a key of its own, for ES256. */
export function aDpopClient(): DpopClient {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = publicKey.export({ format: 'jwk' }) as JsonObject;
  const signClaims: DpopClient['sign'] = (claims, header) => {
    const input = `${encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk, ...header })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  };
  return {
    publicJwk,
    privateJwk: privateKey.export({ format: 'jwk' }) as JsonObject,
    thumbprint: jwkThumbprint(publicJwk),
    proof: (accessToken, claims) =>
      signClaims({ jti: randomUUID(), htm: 'GET', ath: accessTokenHash(accessToken), ...claims }),
    sign: signClaims,
  };
}

/** The claim `ath` of a proof (RFC 9449 section 4.2). */
export function accessTokenHash(accessToken: string): string {
  return Buffer.from(sha256(accessToken)).toString('base64url');
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
