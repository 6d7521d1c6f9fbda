import { KEY_PAIR_ENCRYPTION_ALGORITHMS } from '@vestibule/crypto/signing-keys';
import {
  CHOICE_MEMBERS,
  ChoicesSchema,
  ClientMetadataSchema,
  MEMBER_NAMES,
  type MemberName,
} from '@vestibule/metadata';
import {
  ASYMMETRIC_ALGORITHMS,
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  CLIENT_AUTH_METHODS,
  CONTENT_ENCRYPTION_ALGORITHMS,
  HMAC_ALGORITHMS,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol/constants';
import { type TSchema, Type } from 'typebox';

/** JSON Schema keywords beside the type. */
type Keywords = Readonly<Record<string, unknown>>;

/** Text that can be stored and shown: no control characters, nothing that hides or reorders text. */
const PLAIN_TEXT =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]*$';
const PLAIN: Keywords = { pattern: PLAIN_TEXT };

// RFC 3986 appendix A, restricted as the metadata rules restrict it.
const SCHEME = '[A-Za-z][A-Za-z0-9+.-]*';
const HTTP = '[Hh][Tt][Tt][Pp][Ss]?';
const HOST = '(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(?::[1-9][0-9]{0,4})?';
const ENCODED = '%(?:[2-689A-Fa-f][0-9A-Fa-f]|7[0-9A-Ea-e])';
const PATH = `(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|${ENCODED})*`;
const QUERY = `(?:\\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|${ENCODED})*)?`;
const FRAGMENT = `(?:#(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|${ENCODED})*)?`;
const URN = "[Uu][Rr][Nn]:[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:[A-Za-z0-9._~!$&'()*+,;=:@%/-]+";
const WEB_URL = `^${HTTP}://${HOST}(?:/${PATH})?${QUERY}`;
const PATH_URL = `^${SCHEME}:(?:/|//${HOST}(?:/|(?=[?#]|$)))${PATH}${QUERY}`;

const uri = (pattern: string): Keywords => ({ format: 'uri', pattern });

/** An absolute URI with a host, or with a path that begins with a slash, without a fragment. */
const ABSOLUTE = uri(`${PATH_URL}$`);

/** URL of a page, or URL that the server itself uses. The server accepts http there only for allowed hosts. */
const WEB = uri(`${WEB_URL}${FRAGMENT}$`);
const SECURE = uri(`${WEB_URL}$`);

/** Identifier of a resource server: a URN, or an absolute URI with a host. */
const RESOURCE = uri(`^(?:${URN}|${SCHEME}://${HOST}(?:/${PATH})?${QUERY})$`);

const GRANT_TYPE: Keywords = {
  maxLength: 200,
  pattern:
    "^(?:authorization_code|implicit|refresh_token|password|client_credentials|(?:urn:[A-Za-z0-9][A-Za-z0-9-]{1,31}:|https?://)[A-Za-z0-9._~:/?&=+%@!$'()*;-]+)$",
};

const VALUES = ['code', 'id_token', 'token'];
const remaining = (...taken: readonly string[]) => VALUES.filter((value) => !taken.includes(value));

/** Each value at most once, in any order; they are stored in alphabetical order. */
const RESPONSE_TYPES = VALUES.flatMap((first) => [
  first,
  ...remaining(first).flatMap((second) => [
    `${first} ${second}`,
    ...remaining(first, second).map((third) => `${first} ${second} ${third}`),
  ]),
]);
const RESPONSE_TYPE: Keywords = { pattern: `^(?:${RESPONSE_TYPES.join('|')})$` };

const choice = ($id: string, ...values: readonly string[]): Keywords => ({ enum: values, $id });
const each = (keywords: Keywords): Keywords => ({ items: keywords });

const SIGNING = choice('SigningAlgorithm', ...ASYMMETRIC_ALGORITHMS, ...HMAC_ALGORITHMS);
const ENCRYPTION = choice(
  'KeyManagementAlgorithm',
  ...ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
);
const CONTENT_ENCRYPTION = choice('ContentEncryptionAlgorithm', ...CONTENT_ENCRYPTION_ALGORITHMS);

const KEY_SET: Keywords = {
  $id: 'JwkSet',
  type: 'object',
  description: 'A JWK set (RFC 7517 section 5).',
  additionalProperties: true,
  required: ['keys'],
  properties: {
    keys: {
      type: 'array',
      description: 'Public keys.',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: true,
        required: ['kty'],
        properties: { kty: { type: 'string', minLength: 1 } },
      },
    },
  },
};

/** Scope values separated by single spaces (RFC 6749 section 3.3). */
const SCOPE: Keywords = { pattern: '^(?:[!#-\\[\\]-~]+(?: [!#-\\[\\]-~]+)*)?$' };

/** No rule beyond the type. */
const ANY_VALUE: Keywords = {};

/** Rules on single members of client metadata beyond their types. The settings may permit less. */
const RULES: Readonly<Record<MemberName, Keywords>> = {
  redirect_uris: each(ABSOLUTE),
  response_types: each(RESPONSE_TYPE),
  grant_types: each(GRANT_TYPE),
  application_type: choice('ApplicationType', 'web', 'native'),
  contacts: each({ ...PLAIN, minLength: 1 }),
  client_name: PLAIN,
  client_uri: WEB,
  logo_uri: WEB,
  policy_uri: WEB,
  tos_uri: WEB,
  scope: SCOPE,
  software_id: PLAIN,
  software_version: PLAIN,
  software_statement: { pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$' },
  subject_type: choice('SubjectType', 'public', 'pairwise'),
  sector_identifier_uri: SECURE,
  jwks_uri: SECURE,
  jwks: KEY_SET,
  token_endpoint_auth_method: choice('ClientAuthMethod', ...CLIENT_AUTH_METHODS),
  token_endpoint_auth_signing_alg: SIGNING,
  tls_client_auth_subject_dn: PLAIN,
  tls_client_auth_san_dns: PLAIN,
  tls_client_auth_san_uri: PLAIN,
  tls_client_auth_san_ip: PLAIN,
  tls_client_auth_san_email: PLAIN,
  tls_client_certificate_bound_access_tokens: ANY_VALUE,
  dpop_bound_access_tokens: ANY_VALUE,
  require_pushed_authorization_requests: ANY_VALUE,
  require_signed_request_object: ANY_VALUE,
  authorization_details_types: each(PLAIN),
  id_token_signed_response_alg: SIGNING,
  id_token_encrypted_response_alg: ENCRYPTION,
  id_token_encrypted_response_enc: CONTENT_ENCRYPTION,
  userinfo_signed_response_alg: SIGNING,
  userinfo_encrypted_response_alg: ENCRYPTION,
  userinfo_encrypted_response_enc: CONTENT_ENCRYPTION,
  request_object_signing_alg: SIGNING,
  // Encrypted to the server's keys, each of which is for one algorithm.
  request_object_encryption_alg: choice(
    'RequestObjectEncryptionAlgorithm',
    ...KEY_PAIR_ENCRYPTION_ALGORITHMS,
    ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  ),
  request_object_encryption_enc: CONTENT_ENCRYPTION,
  authorization_signed_response_alg: SIGNING,
  authorization_encrypted_response_alg: ENCRYPTION,
  authorization_encrypted_response_enc: CONTENT_ENCRYPTION,
  introspection_signed_response_alg: choice('IntrospectionSigningAlgorithm', ...ASYMMETRIC_ALGORITHMS),
  introspection_encrypted_response_alg: ENCRYPTION,
  introspection_encrypted_response_enc: CONTENT_ENCRYPTION,
  default_max_age: ANY_VALUE,
  require_auth_time: ANY_VALUE,
  default_acr_values: each(PLAIN),
  initiate_login_uri: SECURE,
  request_uris: each(WEB),
  post_logout_redirect_uris: each(ABSOLUTE),
  frontchannel_logout_uri: ABSOLUTE,
  frontchannel_logout_session_required: ANY_VALUE,
  backchannel_logout_uri: SECURE,
  backchannel_logout_session_required: ANY_VALUE,
  resource_identifiers: each(RESOURCE),
  resource_scopes: SCOPE,
  client_registration_types: each(choice('ClientRegistrationType', 'explicit', 'automatic')),
};

/**
 * Client metadata members of requests: the validated schema with the rules on single members, and the lists of supported
 * values, which may have values that the server does not support.
 */
export const REQUESTED_METADATA: Readonly<Record<string, TSchema>> = {
  ...membersWith((rule) => rule),
  ...Object.fromEntries([...CHOICE_MEMBERS].map(([list, member]) => [list, listOf(member)])),
};

/**
 * Client metadata members of responses, with the named types of the rules only. Stored registrations are returned as
 * they are, even if a rule was added after them.
 */
export const REGISTERED_METADATA: Readonly<Record<string, TSchema>> = membersWith((rule) =>
  isNamed(rule) || isNamed(Object(rule['items'])) ? rule : {},
);

/** Members that may be repeated in other languages (RFC 7591 section 2.2). */
const TAGGED = '^(?:client_name|client_uri|logo_uri|policy_uri|tos_uri)#.+$';

/**
 * Describes language-tagged members. Code generators have no type for `patternProperties`; with `additionalProperties`
 * they keep the members.
 */
export function languageTagged(value: object): Keywords {
  return { additionalProperties: true, 'x-patternProperties': { [TAGGED]: value } };
}

/** Makes a member of a request nullable: `null` means the same as leaving it out. */
export function nullable(member: TSchema): TSchema {
  const { allOf, type, ...rest }: Keywords = { ...member };
  const alternatives = Array.isArray(allOf)
    ? { anyOf: [...allOf, { type: 'null' }] }
    : { type: [type, 'null'] };
  return Type.Optional(Type.Unsafe({ ...rest, ...alternatives }));
}

/** Adds the keywords of a rule to a member; a named rule replaces the rest. */
function withKeywords(member: TSchema, keywords: Keywords): TSchema {
  const { items, description, ...rest }: Keywords = { ...member };
  if (isNamed(keywords)) return Type.Unsafe({ description, allOf: [keywords] });
  const elements = Object(keywords['items']);
  const each = isNamed(elements) ? elements : { ...Object(items), ...elements };
  return Type.Unsafe({ description, ...rest, ...keywords, ...(items !== undefined && { items: each }) });
}

function membersWith(keywordsOf: (rule: Keywords) => Keywords): Readonly<Record<string, TSchema>> {
  const members = ClientMetadataSchema.properties;
  return Object.fromEntries(
    MEMBER_NAMES.map((name) => [name, Type.Optional(withKeywords(members[name], keywordsOf(RULES[name])))]),
  );
}

function listOf(member: MemberName): TSchema {
  const description = `Every ${member} that the client supports. The server registers one of them as ${member} (OpenID Connect Relying Party Metadata Choices 1.0).`;
  return Type.Optional(withKeywords({ ...ChoicesSchema, description }, { ...each(PLAIN), minItems: 1 }));
}

function isNamed(schema: Keywords): boolean {
  return schema['$id'] !== undefined;
}
