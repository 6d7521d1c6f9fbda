import type { Client } from '@vestibule/clients';
import type { ClientAuthMethod, ClientId } from '@vestibule/protocol';
import type { ClientAuthDeps } from './client-auth-deps.js';
import type { ClientRefusal } from './client-refusal.js';
import type { CredentialRequest } from './credential-request.js';

/** A credential that a request presents: well-formed, and not verified. */
export interface PresentedCredential {
  /** The methods that it can belong to; which one it is depends on what the client registered. */
  readonly methods: readonly ClientAuthMethod[];
  /** Who the client says that it is. */
  readonly clientId: ClientId;
  /** Why the credential proves no client, whichever it is; judged before a client is read. */
  whyUnfit?(deps: ClientAuthDeps): ClientRefusal | undefined;
  /**
   * Why the credential does not prove the client; `undefined` when it does. Does the same work for a client that does
   * not exist, so that time does not tell.
   */
  whyRefused(deps: ClientAuthDeps, client: Client | undefined): Promise<ClientRefusal | undefined>;
}

/** What a method sees in a request. */
export type Presentation =
  | { readonly kind: 'absent' }
  /** There is something, and it cannot be read. */
  | { readonly kind: 'malformed'; readonly refusal: ClientRefusal }
  | { readonly kind: 'presented'; readonly credential: PresentedCredential };

/** Looks for the credential of one method, or of methods that share a wire form. Pure: verifies nothing. */
export type CredentialReader = (request: CredentialRequest) => Presentation;

/** The method is not in use in the request. */
export const ABSENT: Presentation = { kind: 'absent' };
