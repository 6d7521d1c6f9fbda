import type { ClientMetadata } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import { isGrantType } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import {
  ALL_RIGHTS,
  formatRegistrationRights,
  formatScope,
  type LimitedRegistrationRights,
  NO_RIGHTS,
  parseScope,
  permitsGrantType,
  permitsScopeValue,
  type RegistrationRights,
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
 * Checks that rights cover a registration (registration/API.md#tokens).
 * @throws DomainError `insufficient_scope`; `missing_token` instead when `isAnonymous`, since a token would help.
 */
export function checkRights(
  rights: RegistrationRights,
  requested: RequestedRegistration,
  { isAnonymous }: { readonly isAnonymous: boolean },
): void {
  const lacking = lackingRight(rights, requested);
  if (lacking === undefined) return;
  if (isAnonymous)
    throw new DomainError('missing_token', `An access token is required to register ${lacking}.`);
  const scope = lackingScope(rights, requested);
  throw new DomainError('insufficient_scope', `The access token does not permit registering ${lacking}.`, {
    scope,
  });
}

/** Maximum length of `scope` in a challenge, which is a header. */
const MAX_CHALLENGED_SCOPE = 1_024;

/** The scope that would cover the missing rights; `client-reg` if that would be too long. */
function lackingScope(rights: RegistrationRights, requested: RequestedRegistration): string {
  const { metadata, data, preferredId, preferredSecret } = requested;
  const grantTypes = metadata.grant_types
    .filter(isGrantType)
    .filter((name) => !permitsGrantType(rights, name));
  const values = scopeValues(metadata).filter((value) => !permitsScopeValue(rights, value));
  if (values.some((value) => parseScope(value) === undefined)) return ALL_SCOPE;
  const scope = formatScope(
    formatRegistrationRights({
      grantTypes: new Set(grantTypes),
      scopeValues: new Set(values),
      data: data !== undefined && !rights.data,
      setId: preferredId !== undefined && !rights.setId,
      setSecret: preferredSecret !== undefined && !rights.setSecret,
    }),
  );
  return scope === '' || scope.length > MAX_CHALLENGED_SCOPE ? ALL_SCOPE : scope;
}

const ALL_SCOPE = formatScope(formatRegistrationRights(ALL_RIGHTS));

/**
 * The minimal rights that cover metadata and data. Preset identifiers and secrets need rights only once and are left
 * out.
 */
export function rightsCovering({ metadata, data }: RequestedRegistration): LimitedRegistrationRights {
  return {
    ...NO_RIGHTS,
    grantTypes: new Set(metadata.grant_types.filter(isGrantType)),
    scopeValues: new Set(scopeValues(metadata)),
    data: data !== undefined,
  };
}

/**
 * Describes, for the caller, the first part of a registration that the rights do not cover; `undefined` if they cover
 * all.
 */
export function lackingRight(
  rights: RegistrationRights,
  requested: RequestedRegistration,
): string | undefined {
  const { metadata, data, preferredId, preferredSecret } = requested;
  if (!metadata.grant_types.every((grantType) => permitsGrantType(rights, grantType)))
    return 'these grant types';
  if (!scopeValues(metadata).every((value) => permitsScopeValue(rights, value))) return 'these scope values';
  if (data !== undefined && !rights.data) return 'data';
  if (preferredId !== undefined && !rights.setId) return 'a preferred client identifier';
  if (preferredSecret !== undefined && !rights.setSecret) return 'a preferred client secret';
  return undefined;
}

/** The scope values of metadata that rights cover, and whether these are all of them. */
export function permittedScope(
  rights: RegistrationRights,
  metadata: Pick<EvaluatedMetadata, 'scope'>,
): { readonly values: readonly string[]; readonly isWhole: boolean } {
  const requested = scopeValues(metadata);
  const values = requested.filter((value) => permitsScopeValue(rights, value));
  return { values, isWhole: values.length === requested.length };
}

function scopeValues({ scope }: Pick<EvaluatedMetadata, 'scope'>): readonly string[] {
  if (scope === undefined) return [];
  // No right that names values can cover a text outside the grammar.
  return [...(parseScope(scope) ?? [scope])];
}
