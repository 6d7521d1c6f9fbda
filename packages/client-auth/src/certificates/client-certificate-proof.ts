import type { Client } from '@vestibule/clients';
import { type ClientId, parseClientId } from '@vestibule/protocol';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import { undisclosedRefusal, undisclosedRefusalOf } from '../client-refusal.js';
import { carriesCredential } from '../credential-request.js';
import { selfSignedTlsClientAuth } from '../methods/self-signed-tls-client-auth.js';
import { tlsClientAuth } from '../methods/tls-client-auth.js';
import { ABSENT, type CredentialReader, type PresentedCredential } from '../presented-credential.js';
import type { CertificateMethod } from './certificate-method.js';
import type { ClientCertificate } from './client-certificate.js';

/** The methods that use a certificate; the registered metadata select one. */
const METHODS: readonly CertificateMethod[] = [tlsClientAuth, selfSignedTlsClientAuth];

/**
 * Reads the client certificate of the connection, with the `client_id` of its client (RFC 8705 section 2). It is a
 * credential only if the request has no other one.
 */
export const clientCertificateProof: CredentialReader = (request) => {
  const { certificate, form } = request;
  if (certificate === undefined || carriesCredential(request)) return ABSENT;
  const clientId = parseClientId(form.client_id);
  if (clientId === undefined)
    return {
      kind: 'malformed',
      refusal: undisclosedRefusal('a client certificate came without a client_id'),
    };
  return { kind: 'presented', credential: presentedCertificate(clientId, certificate) };
};

/** A certificate as the credential of a client. */
export function presentedCertificate(
  clientId: ClientId,
  certificate: ClientCertificate,
): PresentedCredential {
  return {
    methods: METHODS.map(({ name }) => name),
    clientId,
    whyRefused: async (deps, client) =>
      undisclosedRefusalOf(await whyCertificateRefused(deps, client, certificate)),
  };
}

/**
 * Explains to operators why a certificate does not authenticate a client with these metadata; `undefined` if it does.
 */
// A certificate cannot be guessed, so timing may reveal whether a client exists.
export async function whyCertificateRefused(
  deps: Pick<ClientAuthDeps, 'clock' | 'remoteKeySets'>,
  client: Pick<Client, 'metadata'> | undefined,
  certificate: ClientCertificate,
): Promise<string | undefined> {
  const method = METHODS.find(({ name }) => name === client?.metadata.token_endpoint_auth_method);
  if (client === undefined || method === undefined) return 'the client does not use certificates';
  const now = deps.clock.nowMs();
  if (!(certificate.validFromMs <= now && now <= certificate.validToMs))
    return 'the certificate is expired or not valid yet';
  return method.whyForeign(deps, client, certificate);
}
