import type { Digest } from '@vestibule/crypto/data-keys';
import type { JsonObject } from '@vestibule/protocol/json';
import { ALL_SCOPES, type GrantedScopes } from '@vestibule/scopes';
import type { OperatorActor } from '../audit-actor.js';
import type { RepeatableRequest } from './repeatable-request.js';

/** The authority to register, from a credential or its absence. */
export type RegistrationAuthority = RegistrationTerms &
  (
    | {
        readonly kind: 'anonymous';
        /** Network of the request. Unknown networks count as one. */
        readonly network?: string | undefined;
      }
    | {
        readonly kind: 'initial_access_token';
        /** Digests of the token, one use of which a success consumes. */
        readonly consumes: readonly Digest[];
        /** Metadata that the registration starts from. */
        readonly metadataTemplate?: JsonObject;
      }
    | { readonly kind: 'master' }
    | { readonly kind: 'operator'; readonly operator: OperatorActor }
  );

/** Terms of a registration under any authority. */
interface RegistrationTerms {
  readonly grantedScopes: GrantedScopes;
  /** Present if the request has an idempotency key. */
  readonly repeatable?: RepeatableRequest;
}

/** The authority of an operator who works on the store: the same as with the master token. */
export function operatorAuthority(operator: OperatorActor): RegistrationAuthority {
  return { kind: 'operator', grantedScopes: ALL_SCOPES, operator };
}
