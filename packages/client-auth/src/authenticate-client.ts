import { type Client, isClientExpired } from '@vestibule/clients';
import { type ClientAuthMethod, type Clock, nowSeconds } from '@vestibule/protocol';
import { clientAssertion } from './client-assertion.js';
import type { ClientAuthDeps } from './client-auth-deps.js';
import { clientCertificateProof } from './client-certificate-proof.js';
import {
  type CredentialRequest,
  refuseContradiction,
  refuseSeveralCredentials,
} from './credential-request.js';
import { InvalidClientError } from './invalid-client-error.js';
import { clientSecretBasic } from './methods/client-secret-basic.js';
import { clientSecretPost } from './methods/client-secret-post.js';
import type { CredentialReader, PresentedCredential } from './presented-credential.js';

/** A client that proved who it is, and how. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: ClientAuthMethod;
}

/** Every wire form that a credential can have. */
const READERS: readonly CredentialReader[] = [
  clientSecretBasic,
  clientSecretPost,
  clientAssertion,
  clientCertificateProof,
];

/**
 * Authenticates the client that sends a request, with the method that it registered and no other (RFC 6749 section
 * 2.3, Seed 5.2). An unknown client, a wrong or expired secret, a client that is not active and another method than
 * the registered one are one error to the caller; only the private detail tells them apart.
 *
 * @throws DomainError `invalid_request` for more than one credential or a `client_id` that contradicts it;
 *   `invalid_client` for everything else.
 */
export async function authenticateClient(
  deps: ClientAuthDeps,
  request: CredentialRequest,
): Promise<AuthenticatedClient> {
  refuseSeveralCredentials(request);
  const credential = presentedCredential(request);
  refuseContradiction(request, credential.clientId);
  const client = await deps.clients.find(credential.clientId);
  const refused = await credential.whyRefused(deps, client);
  if (client === undefined) throw new InvalidClientError('the client does not exist');
  const method = credential.methods.find((name) => name === client.metadata.token_endpoint_auth_method);
  if (method === undefined)
    throw new InvalidClientError('the client registered another authentication method');
  const reason = whyNotActive(deps.clock, client) ?? refused;
  if (reason !== undefined) throw new InvalidClientError(reason);
  return { client, method };
}

/** Why a client may do nothing at present, in a sentence for operators; `undefined` when it may. */
export function whyNotActive(clock: Clock, client: Client): string | undefined {
  if (isClientExpired(client, nowSeconds(clock))) return 'the registration has expired';
  return client.status === 'active' ? undefined : 'the client waits for approval';
}

function presentedCredential(request: CredentialRequest): PresentedCredential {
  for (const read of READERS) {
    const presentation = read(request);
    if (presentation.kind === 'malformed') throw new InvalidClientError(presentation.reason);
    if (presentation.kind === 'presented') return presentation.credential;
  }
  throw new InvalidClientError('no credential of a known kind');
}
