import { generateKeyPairSync, randomUUID, X509Certificate } from 'node:crypto';
import { aCertificate } from '@vestibule/client-auth/testing';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import { type SigningKey, secretSigningKey, signJwt } from '@vestibule/crypto/jwt';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import { JWT_BEARER_ASSERTION_TYPE } from '@vestibule/protocol/constants';
import { basic } from './introspection-call.js';
import { ENDPOINT, ISSUER, PROXY_SECRET, scopeOf, type TestService } from './test-service.js';

/** Every client authentication method. */
export const METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
] as const;

/** A client authentication method. */
export type Method = (typeof METHODS)[number];

/** The parts of a request that authenticate its caller. */
export interface Proof {
  readonly authorization?: string;
  readonly form: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Long enough for every HMAC algorithm. */
export const LONG_SECRET = 'a-client-secret-of-more-than-sixty-four-bytes-in-length-0123456789';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const certificate = aCertificate();
const certified = new X509Certificate(certificate).publicKey.export({ format: 'jwk' });

/** The private key of all clients of the tests. */
export const CLIENT_KEY: SigningKey = { algorithm: 'ES256', kid: 'k1', key: pair.privateKey };

/** Metadata with credentials of every kind. */
const EVERY_CREDENTIAL = {
  jwks: {
    keys: [
      { ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1' },
      { ...certified, kid: 'c1', x5c: [certificate.toString('base64')] },
    ],
  },
  tls_client_auth_subject_dn: 'CN=client',
};

/** Registers a client that has every credential, with one method. */
export async function registerCaller(
  { register, keys, deps }: TestService,
  id: string,
  method: Method,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const secret = {
    digest: deps.digester.digest('client-secret', LONG_SECRET),
    encrypted: await keys.encryptor.encrypt(LONG_SECRET, secretAssociatedData(id as ClientId)),
  };
  const all = { ...EVERY_CREDENTIAL, token_endpoint_auth_method: method, ...metadata };
  await register(id, all, { secret });
}

/** Signs a new assertion of a client. */
export function assertionOf(
  { deps: { clock } }: Pick<TestService, 'deps'>,
  id: string,
  changes: Readonly<Record<string, unknown>> = {},
  { key = CLIENT_KEY, typ = 'JWT' }: { readonly key?: SigningKey; readonly typ?: string } = {},
): Promise<string> {
  const exp = nowSeconds(clock) + 60;
  const claims = { iss: id, sub: id, aud: ISSUER, jti: randomUUID(), exp, ...changes };
  return signJwt({ key, typ, claims });
}

/** Returns the form parameters of an assertion. */
export function assertionForm(client_assertion: string): Readonly<Record<string, string>> {
  return { client_assertion, client_assertion_type: JWT_BEARER_ASSERTION_TYPE };
}

/** Authenticates as a client with a method, which may not be the registered one. */
export async function proofOf(service: TestService, id: string, method: Method): Promise<Proof> {
  switch (method) {
    case 'client_secret_basic':
      return { authorization: basic(id, LONG_SECRET), form: {}, headers: {} };
    case 'client_secret_post':
      return { form: { client_id: id, client_secret: LONG_SECRET }, headers: {} };
    case 'client_secret_jwt': {
      const key = secretSigningKey(LONG_SECRET, 'HS256');
      return { form: assertionForm(await assertionOf(service, id, {}, { key })), headers: {} };
    }
    case 'private_key_jwt':
      return { form: assertionForm(await assertionOf(service, id)), headers: {} };
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth':
      return { form: { client_id: id }, headers: certificateHeaders() };
  }
}

/** Returns the certificate headers of a trusted proxy. */
export function certificateHeaders(der: Buffer = certificate): Readonly<Record<string, string>> {
  return { 'client-cert': `:${der.toString('base64')}:`, 'client-cert-proof': PROXY_SECRET };
}

/** Authenticates as a client with an access token of its own. */
export async function bearerProof(service: TestService, id: string, scope = ENDPOINT): Promise<Proof> {
  const token = await service.identifier({ clientId: id as ClientId, scope: scopeOf(scope) });
  return { authorization: `Bearer ${token}`, form: {}, headers: {} };
}
