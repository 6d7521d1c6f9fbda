import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** A client that proves its key (RFC 9449). */
export interface DpopClient {
  /** `jkt` of its tokens. */
  readonly thumbprint: string;
  /** Signs a proof with a new `jti`. */
  proof(accessToken: string, claims: JWTPayload): Promise<string>;
}

/** Creates a client with a key of its own. */
export async function aDpopClient(): Promise<DpopClient> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    proof: async (accessToken, claims) => {
      const digest = await crypto.subtle.digest('SHA-256', Buffer.from(accessToken));
      const ath = Buffer.from(digest).toString('base64url');
      return new SignJWT({ jti: randomUUID(), htm: 'GET', ath, ...claims })
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
        .sign(privateKey);
    },
  };
}
