import type { Client } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';
import type { ClientAuthMethod } from '@vestibule/protocol/constants';
import type { ClientAuthDeps } from './client-auth-deps.js';
import type { ClientRefusal } from './client-refusal.js';
import type { CredentialRequest } from './credential-request.js';

/** A well-formed credential of a request, not verified. */
export interface PresentedCredential {
  /** The methods that it may belong to; the registered metadata decide which. */
  readonly methods: readonly ClientAuthMethod[];
  /** The claimed client identifier. */
  readonly clientId: ClientId;
  /** Explains why the credential cannot authenticate any client; checked before the client is read. */
  whyUnfit?(deps: ClientAuthDeps): ClientRefusal | undefined;
  /**
   * Explains why the credential does not authenticate the client; `undefined` if it does. Does the same work for an
   * unknown client, so that timing reveals nothing.
   */
  whyRefused(deps: ClientAuthDeps, client: Client | undefined): Promise<ClientRefusal | undefined>;
}

/** What a reader found in a request. */
export type Presentation =
  | { readonly kind: 'absent' }
  /** There is a credential, but it is malformed. */
  | { readonly kind: 'malformed'; readonly refusal: ClientRefusal }
  | { readonly kind: 'presented'; readonly credential: PresentedCredential };

/** Looks for the credential of one method, or of methods with the same form. Verifies nothing. */
export type CredentialReader = (request: CredentialRequest) => Presentation;

/** The request does not use the method. */
export const ABSENT: Presentation = { kind: 'absent' };
