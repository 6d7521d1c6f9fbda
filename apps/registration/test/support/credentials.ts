import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { signJwt } from '@vestibule/crypto/jwt';
import { nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { MASTER, type TestApp } from './build-test-app.js';
import { type Information, pathOf, registered, type Seen, send } from './calls.js';

/** Sends a credential of a client for verification. */
export function verify(app: TestApp['app'], id: string, body: unknown): Promise<Seen> {
  return send(app, `POST ${pathOf(id)}/verify`, { token: MASTER, body });
}

/** Registers a client that authenticates with this method. */
export function withMethod(
  app: TestApp['app'],
  token_endpoint_auth_method: string,
  metadata: object = {},
): Promise<Information> {
  return registered(app, { token_endpoint_auth_method, ...metadata });
}

/** A key pair of a client, and its registered key set. */
export function aKeyPair(): { readonly privateKey: KeyObject; readonly jwks: object } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] } };
}

/** The claims of an assertion of a client, for an audience. */
export function claimsOf(
  { clock }: Pick<TestApp, 'clock'>,
  client_id: string,
  deviation: JsonObject = {},
): JsonObject {
  const now = nowSeconds(clock);
  return {
    iss: client_id,
    sub: client_id,
    aud: 'https://as.example',
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
    ...deviation,
  };
}

/** Signs an assertion with a key of the client. */
export function signed(privateKey: KeyObject, claims: JsonObject): Promise<string> {
  return signJwt({ key: { algorithm: 'ES256', kid: 'k1', key: privateKey }, typ: 'JWT', claims });
}

/** Makes an assertion with the secret of the client. */
export function keyed(secret: string, claims: JsonObject): string {
  const input = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** A certificate in PEM. */
export function inPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
