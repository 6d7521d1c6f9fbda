import { type Client, isClientExpired } from '@vestibule/clients';
import { type ClientAuthMethod, type Clock, DomainError, nowSeconds } from '@vestibule/protocol';
import { clientAssertion } from './client-assertion.js';
import type { ClientAuthDeps } from './client-auth-deps.js';
import { clientCertificateProof } from './client-certificate-proof.js';
import { acceptOrRead } from './client-reading.js';
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

/** Gives an authenticated client the use of something. Throws DomainError when it may not use it. */
export type ClientGrant<Granted> = (client: Client) => Granted;

/** An authenticated client with what it was granted. */
export interface GrantedClient<Granted> extends AuthenticatedClient {
  readonly granted: Granted;
}

/**
 * Authenticates the client that sends a request, with the method that it registered and no other (RFC 6749 section
 * 2.3, introspection/API.md#callers). What the caller learns of a refusal is in the rule of `ClientRefusal`.
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
 * The same, and grants the client the use of something. What is remembered of a client accepts it only where all of
 * this succeeds; nothing is refused before the store was read.
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
  const unfit = credential.whyUnfit?.(deps);
  if (unfit !== undefined) throw new InvalidClientError(unfit);
  const found = await acceptOrRead(deps, credential.clientId, (client) =>
    acceptedAsRemembered(deps, credential, { client, grant }),
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
 * The client as it is remembered, when nothing speaks against it. A client that is not remembered, or is of no use as
 * it is, is judged as one that does not exist, which takes the same time and uses up no assertion.
 */
async function acceptedAsRemembered<Granted>(
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
 * The refusal for another method than the registered one (introspection/API.md#callers), which is named only to a
 * caller with its secret.
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

/** Why a client may do nothing at present, in a sentence for operators; `undefined` when it may. */
export function whyNotActive(clock: Clock, client: Client): string | undefined {
  if (isClientExpired(client, nowSeconds(clock))) return 'the registration has expired';
  if (client.status === 'suspended') return 'the client is suspended';
  return client.status === 'active' ? undefined : 'the client waits for approval';
}

function presentedCredential(request: CredentialRequest): PresentedCredential {
  for (const read of READERS) {
    const presentation = read(request);
    if (presentation.kind === 'malformed') throw new InvalidClientError(presentation.refusal);
    if (presentation.kind === 'presented') return presentation.credential;
  }
  throw new InvalidClientError('no credential of a known kind');
}
