import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** An identifier with an ES256 key. */
export interface Signer {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly jwks: object;
}

const HOUR_SECONDS = 3_600;

/** Creates an authorization server or a federation entity with a new key. */
export function aSigner(id: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { id, privateKey, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: id }] } };
}

/** A JWT that is valid for an hour. */
export function signed({ id, privateKey }: Signer, typ: string, claims: object): string {
  const iat = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'ES256', typ, kid: id },
    { iss: id, iat, exp: iat + HOUR_SECONDS, ...claims },
  ];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}
