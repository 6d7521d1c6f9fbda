import type { ClientId } from '@vestibule/protocol';
import { presentedAssertion } from './assertions/client-assertion.js';
import { type AuthenticatedClient, authenticateByCredential } from './authenticate-client.js';
import type { ClientCertificate } from './certificates/client-certificate.js';
import { presentedCertificate } from './certificates/client-certificate-proof.js';
import type { ClientAuthDeps } from './client-auth-deps.js';
import type { ClientRefusal } from './client-refusal.js';
import { InvalidClientError } from './invalid-client-error.js';
import type { PresentedCredential } from './presented-credential.js';
import { clientSecretProof } from './secrets/client-secret-proof.js';

/** A credential that a client presented to another server, which has sent it here: exactly one of its members. */
export type ForwardedCredential =
  | { readonly secret: string; readonly assertion?: undefined; readonly certificate?: undefined }
  | { readonly assertion: string; readonly secret?: undefined; readonly certificate?: undefined }
  /** The other server has checked that the client has the key of the certificate. */
  | { readonly certificate: ClientCertificate; readonly secret?: undefined; readonly assertion?: undefined };

/**
 * Authenticates a client with a credential that it presented to another server, by the rules and with the timing of
 * `authenticateClient`. A secret may have been sent with either method for secrets. An assertion can be used once, here
 * and at every endpoint.
 *
 * @throws DomainError `invalid_client` if it is not a valid credential of this client
 */
export async function authenticateForwarded(
  deps: ClientAuthDeps,
  clientId: ClientId,
  forwarded: ForwardedCredential,
): Promise<AuthenticatedClient> {
  const { client, method } = await authenticateByCredential(
    deps,
    credentialOf(clientId, forwarded),
    () => undefined,
  );
  return { client, method };
}

const OTHER_CLIENT: ClientRefusal = {
  reason: 'assertion_malformed',
  detail: 'client_assertion: sub is another client',
  description: 'client_assertion: sub must be the client_id',
};

function credentialOf(clientId: ClientId, forwarded: ForwardedCredential): PresentedCredential {
  if (forwarded.secret !== undefined)
    return clientSecretProof(['client_secret_basic', 'client_secret_post'], clientId, forwarded.secret);
  if (forwarded.certificate !== undefined) return presentedCertificate(clientId, forwarded.certificate);
  const presentation = presentedAssertion(forwarded.assertion);
  if (presentation.kind !== 'presented')
    throw new InvalidClientError(presentation.kind === 'malformed' ? presentation.refusal : OTHER_CLIENT);
  if (presentation.credential.clientId !== clientId) throw new InvalidClientError(OTHER_CLIENT);
  return presentation.credential;
}
