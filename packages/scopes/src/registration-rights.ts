import { OPEN_GRANT_TYPES } from '@vestibule/protocol';

/** What the holder of a credential may register (Seed 5.1). */
export interface RegistrationRights {
  /** Grant types that may be registered. */
  readonly grantTypes: 'any' | ReadonlySet<string>;
  /** Values that the `scope` member may hold; an empty set means that it may not be set. */
  readonly scopeValues: 'any' | ReadonlySet<string>;
  /** Whether custom `data` may be set. */
  readonly data: boolean;
  /** Whether `preferred_client_id` may be set. */
  readonly setId: boolean;
  /** Whether `preferred_client_secret` may be set. */
  readonly setSecret: boolean;
}

/** May register nothing. */
export const NO_RIGHTS: RegistrationRights = {
  grantTypes: new Set(),
  scopeValues: new Set(),
  data: false,
  setId: false,
  setSecret: false,
};

/** What anyone may do where open registration is on (Seed 1.2). */
export const OPEN_RIGHTS: RegistrationRights = { ...NO_RIGHTS, grantTypes: new Set(OPEN_GRANT_TYPES) };

/** The rights of the master token and of the scope value `client-reg`. */
export const ALL_RIGHTS: RegistrationRights = {
  grantTypes: 'any',
  scopeValues: 'any',
  data: true,
  setId: true,
  setSecret: true,
};
