import { type GrantType, isExtensionGrantType } from '@vestibule/protocol/constants';
import {
  ALL_SCOPES,
  type GrantedScopes,
  type LimitedGrantedScopes,
  NO_SCOPES,
  uniteGrantedScopes,
} from './granted-scopes.js';
import { parseScope, type Scope } from './scope.js';

// Scope values of initial access tokens (registration/API.md#scopes), in their canonical order.
const ALL_VALUE = 'client-reg';
const ANY_SCOPE_VALUE = 'client-reg:scope';
const ONE_SCOPE_PREFIX = 'client-reg:scope:';
const GRANT_PREFIX = 'client-reg:grant:';

const GRANT_VALUES: ReadonlyMap<string, GrantType> = new Map([
  ['client-reg:grant:code', 'authorization_code'],
  ['client-reg:grant:implicit', 'implicit'],
  ['client-reg:grant:refresh', 'refresh_token'],
  ['client-reg:grant:password', 'password'],
  ['client-reg:grant:client', 'client_credentials'],
  ['client-reg:grant:jwt', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
  ['client-reg:grant:saml', 'urn:ietf:params:oauth:grant-type:saml2-bearer'],
]);

const SINGLE_VALUES: ReadonlyMap<string, 'data' | 'setId' | 'setSecret'> = new Map([
  ['client-reg:data', 'data'],
  ['client-reg:set-id', 'setId'],
  ['client-reg:set-secret', 'setSecret'],
]);

/**
 * Parses the granted scopes of a scope, the union over its values (registration/API.md#scopes). Values outside the
 * grammar give no right.
 */
export function parseGrantedScopes(scope: Scope): GrantedScopes {
  let grantedScopes: GrantedScopes = NO_SCOPES;
  for (const value of scope) {
    const added = grantedScopesOfValue(value);
    if (added !== undefined) grantedScopes = uniteGrantedScopes(grantedScopes, added);
  }
  return grantedScopes;
}

/**
 * Formats granted scopes as a scope in canonical order, so that equal granted scopes give equal scopes.
 * @throws TypeError when a value in the granted scopes is not a scope value (RFC 6749 section 3.3).
 */
export function formatGrantedScopes(grantedScopes: GrantedScopes): Scope {
  const values = grantedScopes.grantTypes === 'any' ? [ALL_VALUE] : valuesOfLimitedScopes(grantedScopes);
  const scope = parseScope(values.join(' '));
  if (scope === undefined) throw new TypeError('granted scopes contain a value that is not a scope value');
  return scope;
}

/** Whether a scope gives any registration right, which makes its token an initial access token. */
export function isRegistrationScope(scope: Scope): boolean {
  return [...scope].some((value) => grantedScopesOfValue(value) !== undefined);
}

/**
 * Parses a scope all of whose values give granted scopes, as an initial access token has it; `undefined` for every
 * other text.
 */
export function parseRegistrationScope(text: string): Scope | undefined {
  const scope = parseScope(text);
  const isPure =
    scope !== undefined && [...scope].every((value) => grantedScopesOfValue(value) !== undefined);
  return isPure && scope.size > 0 ? scope : undefined;
}

function grantedScopesOfValue(value: string): GrantedScopes | undefined {
  if (value === ALL_VALUE) return ALL_SCOPES;
  const grantType = grantTypeOfValue(value);
  if (grantType !== undefined) return { ...NO_SCOPES, grantTypes: new Set([grantType]) };
  const single = SINGLE_VALUES.get(value);
  if (single !== undefined) return { ...NO_SCOPES, [single]: true };
  if (value === ANY_SCOPE_VALUE) return { ...NO_SCOPES, scopeValues: 'any' };
  if (!value.startsWith(ONE_SCOPE_PREFIX) || value === ONE_SCOPE_PREFIX) return undefined;
  return { ...NO_SCOPES, scopeValues: new Set([value.slice(ONE_SCOPE_PREFIX.length)]) };
}

// An extension grant type follows the prefix as it is.
function grantTypeOfValue(value: string): GrantType | undefined {
  const extension = value.startsWith(GRANT_PREFIX) ? value.slice(GRANT_PREFIX.length) : undefined;
  return isExtensionGrantType(extension) ? extension : GRANT_VALUES.get(value);
}

function valuesOfLimitedScopes(grantedScopes: LimitedGrantedScopes): string[] {
  return [
    ...[...GRANT_VALUES]
      .filter(([, grantType]) => grantedScopes.grantTypes.has(grantType))
      .map(([value]) => value),
    ...[...grantedScopes.grantTypes]
      .filter(isExtensionGrantType)
      .sort()
      .map((grantType) => GRANT_PREFIX + grantType),
    ...valuesOfScopeValues(grantedScopes.scopeValues),
    ...[...SINGLE_VALUES].filter(([, right]) => grantedScopes[right]).map(([value]) => value),
  ];
}

function valuesOfScopeValues(scopeValues: LimitedGrantedScopes['scopeValues']): string[] {
  if (scopeValues === 'any') return [ANY_SCOPE_VALUE];
  return [...scopeValues].sort().map(formatScopeValue);
}

function formatScopeValue(value: string): string {
  // An empty value would be parsed as nothing, one with a space as two values.
  if (value === '' || value.includes(' '))
    throw new TypeError('granted scopes contain a value that is not a scope value');
  return ONE_SCOPE_PREFIX + value;
}
