import type { Digest } from '@vestibule/crypto/data-keys';
import type { JsonObject } from '@vestibule/protocol';
import { ALL_RIGHTS, type RegistrationRights } from '@vestibule/scopes';
import type { OperatorActor } from '../audit-actor.js';
import type { RepeatableRequest } from './repeatable-request.js';

/** The authority to register, from a credential or its absence. */
export interface RegistrationAuthority {
  readonly kind: 'anonymous' | 'master' | 'operator' | 'initial_access_token';
  readonly rights: RegistrationRights;
  /** Network of an anonymous request. Unknown networks count as one. */
  readonly network?: string | undefined;
  /** Digests of the initial access token, one use of which a success consumes. */
  readonly consumes?: readonly Digest[];
  /** Metadata that the registration starts from. */
  readonly metadataTemplate?: JsonObject;
  /** The operator, if one registers the client. */
  readonly operator?: OperatorActor;
  /** Present if the request has an idempotency key. */
  readonly repeatable?: RepeatableRequest;
}

/** The authority of an operator who works on the store: the same as with the master token. */
export function operatorAuthority(operator: OperatorActor): RegistrationAuthority {
  return { kind: 'operator', rights: ALL_RIGHTS, operator };
}
