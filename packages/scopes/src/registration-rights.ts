import { type GrantType, isGrantType, OPEN_GRANT_TYPES } from '@vestibule/protocol/constants';

/** What a credential permits to register (registration/API.md#tokens). */
export type RegistrationRights = UnlimitedRegistrationRights | LimitedRegistrationRights;

/**
 * Rights of the master token and of the scope value `client-reg`. Any grant type is permitted only as part of these.
 */
export interface UnlimitedRegistrationRights {
  readonly grantTypes: 'any';
  readonly scopeValues: 'any';
  readonly data: true;
  readonly setId: true;
  readonly setSecret: true;
}

/** Individually listed rights. */
export interface LimitedRegistrationRights {
  /** Permitted grant types. */
  readonly grantTypes: ReadonlySet<GrantType>;
  /** Permitted values of the `scope` member; an empty set means that it may not be set. */
  readonly scopeValues: 'any' | ReadonlySet<string>;
  /** Whether custom `data` may be set. */
  readonly data: boolean;
  /** Whether `preferred_client_id` may be set. */
  readonly setId: boolean;
  /** Whether `preferred_client_secret` may be set. */
  readonly setSecret: boolean;
}

/** Permits nothing. */
export const NO_RIGHTS: LimitedRegistrationRights = {
  grantTypes: new Set(),
  scopeValues: new Set(),
  data: false,
  setId: false,
  setSecret: false,
};

/** What anyone may register in open mode (registration/API.md#modes). */
export const OPEN_RIGHTS: LimitedRegistrationRights = { ...NO_RIGHTS, grantTypes: new Set(OPEN_GRANT_TYPES) };

/** Rights of the master token and of the scope value `client-reg`. */
export const ALL_RIGHTS: UnlimitedRegistrationRights = {
  grantTypes: 'any',
  scopeValues: 'any',
  data: true,
  setId: true,
  setSecret: true,
};

/** Returns the union of two credentials' rights. */
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

/** Removes the rights in `taken`. Unlimited rights (all, or any scope value) cannot lose single values and stay. */
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

/** Whether the rights cover a grant type; whether it can be registered at all is decided elsewhere. */
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
