import type { Digest } from '@vestibule/crypto';
import type { JsonObject } from '@vestibule/protocol';
import type { RegistrationRights } from '@vestibule/scopes';
import type { RepeatableRequest } from './repeatable-request.js';

/** What a credential, or its absence, entitles to at the registration endpoint. */
export interface RegistrationAuthority {
  readonly kind: 'anonymous' | 'master' | 'initial_access_token';
  readonly rights: RegistrationRights;
  /** The digests of the initial access token that a success spends one use of. */
  readonly spends?: readonly Digest[];
  /** Metadata that the registration starts from. */
  readonly metadataTemplate?: JsonObject;
  /** Present when the request came with an idempotency key. */
  readonly repeatable?: RepeatableRequest;
}
