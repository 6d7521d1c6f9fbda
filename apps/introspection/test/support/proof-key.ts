import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { jwkThumbprint } from '@vestibule/crypto/public-keys';
import type { JsonObject } from '@vestibule/protocol/json';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The SHA-256 digest of a value, in base64url. */
export const hashOf = (value: string | Buffer): string =>
  createHash('sha256').update(value).digest('base64url');

/** Creates a key, with proofs of possession (RFC 9449). */
export async function aProofKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' }) as JsonObject;
  const prove = (claims: JsonObject, header: JsonObject = {}): string => {
    const input = `${encode({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  };
  return { jwk, prove, jkt: jwkThumbprint(jwk), privateJwk: privateKey.export({ format: 'jwk' }) };
}
