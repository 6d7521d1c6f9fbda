import { type GrantType, isGrantType, OPEN_GRANT_TYPES } from '@vestibule/protocol';

/** What the holder of a credential may register (registration/API.md#tokens). */
export type RegistrationRights = UnlimitedRegistrationRights | LimitedRegistrationRights;

/**
 * The rights of the master token and of the scope value `client-reg`; "any grant type" exists only as part of them.
 */
export interface UnlimitedRegistrationRights {
  readonly grantTypes: 'any';
  readonly scopeValues: 'any';
  readonly data: true;
  readonly setId: true;
  readonly setSecret: true;
}

/** Rights that are named one by one. */
export interface LimitedRegistrationRights {
  /** Grant types that may be registered. */
  readonly grantTypes: ReadonlySet<GrantType>;
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
export const NO_RIGHTS: LimitedRegistrationRights = {
  grantTypes: new Set(),
  scopeValues: new Set(),
  data: false,
  setId: false,
  setSecret: false,
};

/** What anyone may do where open registration is on (registration/API.md#modes). */
export const OPEN_RIGHTS: LimitedRegistrationRights = { ...NO_RIGHTS, grantTypes: new Set(OPEN_GRANT_TYPES) };

/** The rights of the master token and of the scope value `client-reg`. */
export const ALL_RIGHTS: UnlimitedRegistrationRights = {
  grantTypes: 'any',
  scopeValues: 'any',
  data: true,
  setId: true,
  setSecret: true,
};

/** The rights that either of two credentials gives. */
export function uniteRegistrationRights(a: RegistrationRights, b: RegistrationRights): RegistrationRights {
  if (a.grantTypes === 'any' || b.grantTypes === 'any') return ALL_RIGHTS;
  return {
    grantTypes: new Set([...a.grantTypes, ...b.grantTypes]),
    scopeValues: uniteScopeValues(a.scopeValues, b.scopeValues),
    data: a.data || b.data,
    setId: a.setId || b.setId,
    setSecret: a.setSecret || b.setSecret,
  };
}

/**
 * The rights that are left when those of `taken` are taken away. What is unlimited cannot lose a single value and
 * stays: all rights, and the right to any scope value.
 */
export function subtractRegistrationRights(
  rights: RegistrationRights,
  taken: RegistrationRights,
): RegistrationRights {
  if (rights.grantTypes === 'any') return ALL_RIGHTS;
  return {
    grantTypes: new Set([...rights.grantTypes].filter((grantType) => !permitsGrantType(taken, grantType))),
    scopeValues: subtractScopeValues(rights.scopeValues, taken),
    data: rights.data && !taken.data,
    setId: rights.setId && !taken.setId,
    setSecret: rights.setSecret && !taken.setSecret,
  };
}

/** Whether the rights cover registering a grant type; which grant types exist here at all is decided elsewhere. */
export function permitsGrantType(rights: RegistrationRights, grantType: string): boolean {
  if (rights.grantTypes === 'any') return true;
  return isGrantType(grantType) && rights.grantTypes.has(grantType);
}

/** Whether the rights cover a value of the `scope` member. */
export function permitsScopeValue(rights: RegistrationRights, value: string): boolean {
  return rights.scopeValues === 'any' || rights.scopeValues.has(value);
}

function uniteScopeValues(
  a: RegistrationRights['scopeValues'],
  b: RegistrationRights['scopeValues'],
): RegistrationRights['scopeValues'] {
  return a === 'any' || b === 'any' ? 'any' : new Set([...a, ...b]);
}

function subtractScopeValues(
  scopeValues: RegistrationRights['scopeValues'],
  taken: RegistrationRights,
): RegistrationRights['scopeValues'] {
  if (scopeValues === 'any') return 'any';
  return new Set([...scopeValues].filter((value) => !permitsScopeValue(taken, value)));
}
