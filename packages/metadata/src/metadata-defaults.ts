import { formatScope, parseScope } from '@vestibule/scopes';
import { ALGORITHM_MEMBERS } from './algorithm-members.js';
import { symmetricAlgorithmMembers } from './client-secret-need.js';
import type { MemberName, RecognizedMembers } from './metadata-schema.js';
import {
  ALGORITHM_USES,
  BROWSER_GRANT_TYPES,
  grantTypesOfResponseType,
  type SupportedMetadata,
} from './supported-metadata.js';
import { isLocalHost, isPrivateUse } from './uris/redirect-uri.js';
import { LOOPBACK_HOSTS, readUri, type UriReading } from './uris/uri-reading.js';

/** Members with every default filled in, as the rules check them. */
export interface EffectiveMembers extends RecognizedMembers {
  response_types: string[];
  grant_types: string[];
  application_type: 'web' | 'native';
  token_endpoint_auth_method: string;
  subject_type: string;
  id_token_signed_response_alg: string;
}

/** Members that only apply to the method `tls_client_auth` (RFC 8705 section 2.1.2). */
export const TLS_SUBJECT_MEMBERS = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const satisfies readonly MemberName[];

const DEFAULT_CONTENT_ENCRYPTION = 'A128CBC-HS256';

/**
 * Removes members without effect, normalizes the others and fills in the defaults (RFC 7591 section 2, OpenID Connect
 * Dynamic Client Registration 1.0 section 2).
 */
export function applyDefaults(given: RecognizedMembers, supported: SupportedMetadata): EffectiveMembers {
  const grantTypes = given.grant_types ?? ['authorization_code'];
  const method = given.token_endpoint_auth_method ?? defaultAuthMethod(grantTypes, given, supported);
  const members: RecognizedMembers = {
    ...without(given, membersWithoutEffect(given, method, supported)),
    ...scopeInOneSpelling(given),
    ...contentEncryptionDefaults(given, supported),
    ...logoutDefaults(given),
  };
  return {
    require_auth_time: false,
    tls_client_certificate_bound_access_tokens: false,
    dpop_bound_access_tokens: false,
    require_pushed_authorization_requests: false,
    require_signed_request_object: false,
    subject_type: supported.subjectTypes[0] ?? 'public',
    id_token_signed_response_alg: supported.algorithms.id_token.signing[0] ?? 'RS256',
    ...members,
    application_type: given.application_type ?? inferredApplicationType(given),
    grant_types: grantTypes,
    response_types: (given.response_types ?? defaultResponseTypes(grantTypes, supported)).map(
      registeredResponseType,
    ),
    token_endpoint_auth_method: method,
  };
}

/**
 * Infers the application type of a registration that does not state it: native if any redirect URI leads back to a
 * program on the device of the end-user, by http on a loopback address or by a private-use scheme (RFC 8252 section 7).
 * Otherwise web (OpenID Connect Dynamic Client Registration 1.0 section 2), also beside an https URI on the local
 * machine, which only web clients can have.
 */
function inferredApplicationType({
  redirect_uris: redirectUris = [],
  post_logout_redirect_uris: postLogoutUris = [],
}: Pick<RecognizedMembers, 'redirect_uris' | 'post_logout_redirect_uris'>): 'web' | 'native' {
  if (!redirectUris.some((uri) => isOf(uri, isOnDevice))) return 'web';
  return [...redirectUris, ...postLogoutUris].some((uri) => isOf(uri, isWebOnDevice)) ? 'web' : 'native';
}

function isOf(uri: string, is: (reading: UriReading) => boolean): boolean {
  const reading = readUri(uri);
  return reading !== undefined && is(reading);
}

function isOnDevice({ scheme, host }: UriReading): boolean {
  return scheme === 'http' ? LOOPBACK_HOSTS.has(host) : isPrivateUse(scheme);
}

function isWebOnDevice({ scheme, host }: UriReading): boolean {
  return scheme === 'https' && isLocalHost(host);
}

// The default is `code` if it fits the grant types, otherwise the first response type that does.
function defaultResponseTypes(grantTypes: readonly string[], supported: SupportedMetadata): string[] {
  return BROWSER_GRANT_TYPES.flatMap((grantType) => {
    const own = supported.responseTypes.find((each) => {
      const [needed, ...others] = grantTypesOfResponseType(each);
      return needed === grantType && others.length === 0;
    });
    return grantTypes.includes(grantType) && own !== undefined ? [own] : [];
  });
}

// A client that only gets tokens through the browser, and shares no key with the server, never authenticates.
function defaultAuthMethod(
  grantTypes: readonly string[],
  given: RecognizedMembers,
  { authMethods }: SupportedMetadata,
): string {
  const isImplicitAlone = grantTypes.length === 1 && grantTypes[0] === 'implicit';
  const isPublic = isImplicitAlone && symmetricAlgorithmMembers(given).length === 0;
  return isPublic && authMethods.includes('none') ? 'none' : (authMethods[0] ?? 'client_secret_basic');
}

function membersWithoutEffect(
  given: RecognizedMembers,
  method: string,
  supported: SupportedMetadata,
): ReadonlySet<MemberName> {
  const idle: MemberName[] = [];
  if (!method.endsWith('_jwt')) idle.push('token_endpoint_auth_signing_alg');
  if (method !== 'tls_client_auth') idle.push(...TLS_SUBJECT_MEMBERS);
  if (supported.authorizationDetailsTypes.length === 0) idle.push('authorization_details_types');
  if (given.frontchannel_logout_uri === undefined) idle.push('frontchannel_logout_session_required');
  if (given.backchannel_logout_uri === undefined) idle.push('backchannel_logout_session_required');
  if (given.scope === '') idle.push('scope');
  return new Set(idle);
}

function without(members: RecognizedMembers, names: ReadonlySet<MemberName>): RecognizedMembers {
  const kept: Partial<Record<MemberName, unknown>> = {};
  for (const name of Object.keys(members) as MemberName[]) {
    if (!names.has(name)) kept[name] = members[name];
  }
  return kept as RecognizedMembers;
}

function scopeInOneSpelling({ scope }: RecognizedMembers): RecognizedMembers {
  const parsed = scope === undefined ? undefined : parseScope(scope);
  return parsed === undefined || parsed.size === 0 ? {} : { scope: formatScope(parsed) };
}

function contentEncryptionDefaults(
  given: RecognizedMembers,
  supported: SupportedMetadata,
): RecognizedMembers {
  const defaults: RecognizedMembers = {};
  for (const use of ALGORITHM_USES) {
    const { encryption, contentEncryption } = ALGORITHM_MEMBERS[use];
    if (given[encryption] === undefined || given[contentEncryption] !== undefined) continue;
    const choices = supported.algorithms[use].contentEncryption;
    const choice = choices.includes(DEFAULT_CONTENT_ENCRYPTION) ? DEFAULT_CONTENT_ENCRYPTION : choices[0];
    if (choice !== undefined) defaults[contentEncryption] = choice;
  }
  return defaults;
}

function logoutDefaults(given: RecognizedMembers): RecognizedMembers {
  return {
    ...(given.frontchannel_logout_uri !== undefined && {
      frontchannel_logout_session_required: given.frontchannel_logout_session_required ?? false,
    }),
    ...(given.backchannel_logout_uri !== undefined && {
      backchannel_logout_session_required: given.backchannel_logout_session_required ?? false,
    }),
  };
}

/** Normalizes a response type: the order of its values has no meaning (RFC 6749 section 3.1.1). */
export function registeredResponseType(responseType: string): string {
  return responseType.split(' ').sort().join(' ');
}
