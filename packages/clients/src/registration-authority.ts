import type { Digest } from '@vestibule/crypto';
import type { JsonObject } from '@vestibule/protocol';
import { ALL_RIGHTS, type RegistrationRights } from '@vestibule/scopes';
import type { OperatorActor } from './audit-actor.js';
import type { RepeatableRequest } from './repeatable-request.js';

/** What a credential, or its absence, entitles to at the registration endpoint. */
export interface RegistrationAuthority {
  readonly kind: 'anonymous' | 'master' | 'operator' | 'initial_access_token';
  readonly rights: RegistrationRights;
  /** The network that an anonymous request came from; what comes from unknown ones counts as from one. */
  readonly network?: string | undefined;
  /** The digests of the initial access token that a success consumes one use of. */
  readonly spends?: readonly Digest[];
  /** Metadata that the registration starts from. */
  readonly metadataTemplate?: JsonObject;
  /** Who registers, where an operator does. */
  readonly operator?: OperatorActor;
  /** Present when the request came with an idempotency key. */
  readonly repeatable?: RepeatableRequest;
}

/** What an operator who works on the store itself is entitled to: the same as with the master token. */
export function operatorAuthority(operator: OperatorActor): RegistrationAuthority {
  return { kind: 'operator', rights: ALL_RIGHTS, operator };
}
