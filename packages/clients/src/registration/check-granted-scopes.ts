import type { ClientMetadata } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import { isGrantType } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import {
  ALL_SCOPES,
  formatGrantedScopes,
  formatScope,
  type GrantedScopes,
  type LimitedGrantedScopes,
  NO_SCOPES,
  parseScope,
  permitsGrantType,
  permitsScopeValue,
} from '@vestibule/scopes';

/** Members of the effective metadata that need a right. */
type EvaluatedMetadata = Pick<ClientMetadata, 'grant_types' | 'scope'>;

/** The effective metadata of a registration, defaults included, and its privileged parameters. */
export interface RequestedRegistration {
  readonly metadata: EvaluatedMetadata;
  readonly data?: JsonObject | undefined;
  readonly preferredId?: string | undefined;
  readonly preferredSecret?: string | undefined;
}

/**
 * Checks that granted scopes cover a registration (registration/API.md#tokens).
 * @throws DomainError `insufficient_scope`; `missing_token` instead when `isAnonymous`, since a token would help.
 */
export function checkGrantedScopes(
  grantedScopes: GrantedScopes,
  requested: RequestedRegistration,
  { isAnonymous }: { readonly isAnonymous: boolean },
): void {
  const lacking = lackingGrant(grantedScopes, requested);
  if (lacking === undefined) return;
  if (isAnonymous)
    throw new DomainError('missing_token', `An access token is required to register ${lacking}.`);
  const scope = lackingScope(grantedScopes, requested);
  throw new DomainError('insufficient_scope', `The access token does not permit registering ${lacking}.`, {
    scope,
  });
}

/** Maximum length of `scope` in a challenge, which is a header. */
const MAX_CHALLENGED_SCOPE = 1_024;

/** The scope that would cover the missing granted scopes; `client-reg` if that would be too long. */
function lackingScope(grantedScopes: GrantedScopes, requested: RequestedRegistration): string {
  const { metadata, data, preferredId, preferredSecret } = requested;
  const grantTypes = metadata.grant_types
    .filter(isGrantType)
    .filter((name) => !permitsGrantType(grantedScopes, name));
  const values = scopeValues(metadata).filter((value) => !permitsScopeValue(grantedScopes, value));
  if (values.some((value) => parseScope(value) === undefined)) return ALL_SCOPE;
  const scope = formatScope(
    formatGrantedScopes({
      grantTypes: new Set(grantTypes),
      scopeValues: new Set(values),
      data: data !== undefined && !grantedScopes.data,
      setId: preferredId !== undefined && !grantedScopes.setId,
      setSecret: preferredSecret !== undefined && !grantedScopes.setSecret,
    }),
  );
  return scope === '' || scope.length > MAX_CHALLENGED_SCOPE ? ALL_SCOPE : scope;
}

const ALL_SCOPE = formatScope(formatGrantedScopes(ALL_SCOPES));

/**
 * The minimal granted scopes that cover metadata and data. Preset identifiers and secrets need granted scopes only once
 * and are left out.
 */
export function scopesCovering({ metadata, data }: RequestedRegistration): LimitedGrantedScopes {
  return {
    ...NO_SCOPES,
    grantTypes: new Set(metadata.grant_types.filter(isGrantType)),
    scopeValues: new Set(scopeValues(metadata)),
    data: data !== undefined,
  };
}

/**
 * Describes, for the caller, the first part of a registration that the granted scopes do not cover; `undefined` if they
 * cover all.
 */
export function lackingGrant(
  grantedScopes: GrantedScopes,
  requested: RequestedRegistration,
): string | undefined {
  const { metadata, data, preferredId, preferredSecret } = requested;
  if (!metadata.grant_types.every((grantType) => permitsGrantType(grantedScopes, grantType)))
    return 'these grant types';
  if (!scopeValues(metadata).every((value) => permitsScopeValue(grantedScopes, value)))
    return 'these scope values';
  if (data !== undefined && !grantedScopes.data) return 'data';
  if (preferredId !== undefined && !grantedScopes.setId) return 'a preferred client identifier';
  if (preferredSecret !== undefined && !grantedScopes.setSecret) return 'a preferred client secret';
  return undefined;
}

/** The scope values of metadata that granted scopes cover, and whether these are all of them. */
export function permittedScope(
  grantedScopes: GrantedScopes,
  metadata: Pick<EvaluatedMetadata, 'scope'>,
): { readonly values: readonly string[]; readonly isWhole: boolean } {
  const requested = scopeValues(metadata);
  const values = requested.filter((value) => permitsScopeValue(grantedScopes, value));
  return { values, isWhole: values.length === requested.length };
}

function scopeValues({ scope }: Pick<EvaluatedMetadata, 'scope'>): readonly string[] {
  if (scope === undefined) return [];
  // No right that names values can cover a text outside the grammar.
  return [...(parseScope(scope) ?? [scope])];
}
