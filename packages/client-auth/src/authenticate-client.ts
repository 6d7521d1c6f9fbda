import type { Client } from '@vestibule/clients';
import { isClientExpired } from '@vestibule/clients/management';
import { type Clock, DomainError, nowSeconds } from '@vestibule/protocol';
import type { ClientAuthMethod } from '@vestibule/protocol/constants';
import { clientAssertion } from './assertions/client-assertion.js';
import { acceptOrRead } from './cache/client-reading.js';
import { clientCertificateProof } from './certificates/client-certificate-proof.js';
import type { ClientAuthDeps } from './client-auth-deps.js';
import type { ClientRefusal } from './client-refusal.js';
import {
  type CredentialRequest,
  refuseContradiction,
  refuseSeveralCredentials,
} from './credential-request.js';
import { InvalidClientError } from './invalid-client-error.js';
import { clientSecretBasic } from './methods/client-secret-basic.js';
import { clientSecretPost } from './methods/client-secret-post.js';
import type { CredentialReader, PresentedCredential } from './presented-credential.js';

/** An authenticated client and its method. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: ClientAuthMethod;
}

/** Readers for every form of credential. */
const READERS: readonly CredentialReader[] = [
  clientSecretBasic,
  clientSecretPost,
  clientAssertion,
  clientCertificateProof,
];

/** Authorizes an authenticated client. Throws DomainError if it is not authorized. */
export type ClientGrant<Granted> = (client: Client) => Granted;

/** An authenticated client with the result of its authorization. */
export interface GrantedClient<Granted> extends AuthenticatedClient {
  readonly granted: Granted;
}

/**
 * Authenticates the client of a request with its registered method (RFC 6749 section 2.3,
 * introspection/API.md#callers). `ClientRefusal` defines what the caller learns about a refusal.
 *
 * @throws DomainError `invalid_request` for more than one credential or a `client_id` that contradicts it;
 *   `invalid_client` for everything else.
 */
export function authenticateClient(
  deps: ClientAuthDeps,
  request: CredentialRequest,
): Promise<AuthenticatedClient> {
  return authenticateAndGrant(deps, request, () => undefined);
}

/**
 * Authenticates the client of a request and authorizes it. Cached state accepts a client only if both succeed; before a
 * refusal the store is read.
 *
 * @throws DomainError as `authenticateClient` does, and what `grant` throws.
 */
export async function authenticateAndGrant<Granted>(
  deps: ClientAuthDeps,
  request: CredentialRequest,
  grant: ClientGrant<Granted>,
): Promise<GrantedClient<Granted>> {
  refuseSeveralCredentials(request);
  const credential = presentedCredential(request);
  refuseContradiction(request, credential.clientId);
  return authenticateByCredential(deps, credential, grant);
}

/**
 * Authenticates the client of a credential and authorizes it, like {@link authenticateAndGrant}.
 *
 * @throws DomainError `invalid_client`, and what `grant` throws.
 */
export async function authenticateByCredential<Granted>(
  deps: ClientAuthDeps,
  credential: PresentedCredential,
  grant: ClientGrant<Granted>,
): Promise<GrantedClient<Granted>> {
  const unfit = credential.whyUnfit?.(deps);
  if (unfit !== undefined) throw new InvalidClientError(unfit);
  const found = await acceptOrRead(deps, credential.clientId, (client) =>
    acceptedAsCached(deps, credential, { client, grant }),
  );
  if (found.accepted !== undefined) return found.accepted;
  const { client } = found;
  const refused = await credential.whyRefused(deps, client);
  if (client === undefined) throw new InvalidClientError('the client does not exist');
  const inactive = whyNotActive(deps.clock, client);
  if (inactive !== undefined) throw new InvalidClientError(inactive);
  const method = methodOf(credential, client);
  if (method === undefined)
    throw new InvalidClientError(otherMethod(client, credential, refused === undefined));
  if (refused !== undefined) throw new InvalidClientError(refused);
  return { client, method, granted: grant(client) };
}

/**
 * Accepts a client from cached state. A client that is not cached, or is not acceptable as cached, is checked as an
 * unknown one, which takes the same time and consumes no assertion.
 */
async function acceptedAsCached<Granted>(
  deps: ClientAuthDeps,
  credential: PresentedCredential,
  { client, grant }: { readonly client: Client | undefined; readonly grant: ClientGrant<Granted> },
): Promise<GrantedClient<Granted> | undefined> {
  const usable = client && usableClient(deps.clock, credential, { client, grant });
  const refused = await credential.whyRefused(deps, usable?.client);
  return refused === undefined ? usable : undefined;
}

function usableClient<Granted>(
  clock: Clock,
  credential: PresentedCredential,
  { client, grant }: { readonly client: Client; readonly grant: ClientGrant<Granted> },
): GrantedClient<Granted> | undefined {
  const method = methodOf(credential, client);
  if (method === undefined || whyNotActive(clock, client) !== undefined) return undefined;
  try {
    return { client, method, granted: grant(client) };
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function methodOf({ methods }: PresentedCredential, { metadata }: Client): ClientAuthMethod | undefined {
  return methods.find((name) => name === metadata.token_endpoint_auth_method);
}

/**
 * The refusal for another method than the registered one (introspection/API.md#callers), which only a caller with the
 * client's secret learns.
 */
function otherMethod(
  { metadata }: Client,
  { methods }: PresentedCredential,
  isProved: boolean,
): ClientRefusal {
  const { token_endpoint_auth_method: registered } = metadata;
  const used = methods.join(' or ');
  const detail = `the client registered token_endpoint_auth_method ${registered} and used ${used}`;
  if (!isProved) return { reason: 'auth_method', detail };
  const description = `The client is registered for ${registered}, but this request used ${used}. Authenticate with ${registered}, or register token_endpoint_auth_method: ${used}`;
  return { reason: 'auth_method', detail, description };
}

/** Explains to operators why a client is not active; `undefined` if it is. */
export function whyNotActive(clock: Clock, client: Client): string | undefined {
  if (isClientExpired(client, nowSeconds(clock))) return 'the registration has expired';
  if (client.status === 'suspended') return 'the client is suspended';
  return client.status === 'active' ? undefined : 'the client is waiting for approval';
}

function presentedCredential(request: CredentialRequest): PresentedCredential {
  for (const read of READERS) {
    const presentation = read(request);
    if (presentation.kind === 'malformed') throw new InvalidClientError(presentation.refusal);
    if (presentation.kind === 'presented') return presentation.credential;
  }
  throw new InvalidClientError('no supported credential');
}
