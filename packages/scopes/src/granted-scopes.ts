import { type GrantType, isGrantType, OPEN_GRANT_TYPES } from '@vestibule/protocol/constants';

/** What a credential permits to register (registration/API.md#tokens). */
export type GrantedScopes = UnlimitedGrantedScopes | LimitedGrantedScopes;

/**
 * Granted scopes of the master token and of the scope value `client-reg`. Any grant type is permitted only as part of
 * these.
 */
export interface UnlimitedGrantedScopes {
  readonly grantTypes: 'any';
  readonly scopeValues: 'any';
  readonly data: true;
  readonly setId: true;
  readonly setSecret: true;
}

/** Individually listed scopes. */
export interface LimitedGrantedScopes {
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
export const NO_SCOPES: LimitedGrantedScopes = {
  grantTypes: new Set(),
  scopeValues: new Set(),
  data: false,
  setId: false,
  setSecret: false,
};

/** What anyone may register in open mode (registration/API.md#modes). */
export const OPEN_SCOPES: LimitedGrantedScopes = { ...NO_SCOPES, grantTypes: new Set(OPEN_GRANT_TYPES) };

/** Granted scopes of the master token and of the scope value `client-reg`. */
export const ALL_SCOPES: UnlimitedGrantedScopes = {
  grantTypes: 'any',
  scopeValues: 'any',
  data: true,
  setId: true,
  setSecret: true,
};

/** Returns the union of two credentials' granted scopes. */
export function uniteGrantedScopes(a: GrantedScopes, b: GrantedScopes): GrantedScopes {
  if (a.grantTypes === 'any' || b.grantTypes === 'any') return ALL_SCOPES;
  return {
    grantTypes: new Set([...a.grantTypes, ...b.grantTypes]),
    scopeValues: uniteScopeValues(a.scopeValues, b.scopeValues),
    data: a.data || b.data,
    setId: a.setId || b.setId,
    setSecret: a.setSecret || b.setSecret,
  };
}

/**
 * Removes the granted scopes in `taken`. Unlimited granted scopes (all, or any scope value) cannot lose single values
 * and stay.
 */
export function subtractGrantedScopes(grantedScopes: GrantedScopes, taken: GrantedScopes): GrantedScopes {
  if (grantedScopes.grantTypes === 'any') return ALL_SCOPES;
  return {
    grantTypes: new Set(
      [...grantedScopes.grantTypes].filter((grantType) => !permitsGrantType(taken, grantType)),
    ),
    scopeValues: subtractScopeValues(grantedScopes.scopeValues, taken),
    data: grantedScopes.data && !taken.data,
    setId: grantedScopes.setId && !taken.setId,
    setSecret: grantedScopes.setSecret && !taken.setSecret,
  };
}

/** Whether the granted scopes cover a grant type; whether it can be registered at all is decided elsewhere. */
export function permitsGrantType(grantedScopes: GrantedScopes, grantType: string): boolean {
  if (grantedScopes.grantTypes === 'any') return true;
  return isGrantType(grantType) && grantedScopes.grantTypes.has(grantType);
}

/** Whether the granted scopes cover a value of the `scope` member. */
export function permitsScopeValue(grantedScopes: GrantedScopes, value: string): boolean {
  return grantedScopes.scopeValues === 'any' || grantedScopes.scopeValues.has(value);
}

function uniteScopeValues(
  a: GrantedScopes['scopeValues'],
  b: GrantedScopes['scopeValues'],
): GrantedScopes['scopeValues'] {
  return a === 'any' || b === 'any' ? 'any' : new Set([...a, ...b]);
}

function subtractScopeValues(
  scopeValues: GrantedScopes['scopeValues'],
  taken: GrantedScopes,
): GrantedScopes['scopeValues'] {
  if (scopeValues === 'any') return 'any';
  return new Set([...scopeValues].filter((value) => !permitsScopeValue(taken, value)));
}
