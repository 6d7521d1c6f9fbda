import { KEY_PAIR_ENCRYPTION_ALGORITHMS } from '@vestibule/crypto';
import { ALGORITHM_MEMBERS, ClientMetadataSchema } from '@vestibule/metadata';
import {
  ASYMMETRIC_ALGORITHMS,
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  CLIENT_AUTH_METHODS,
  CONTENT_ENCRYPTION_ALGORITHMS,
  HMAC_ALGORITHMS,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol';
import { type TSchema, Type } from 'typebox';

/** What a schema says besides its type. */
type Keywords = Readonly<Record<string, unknown>>;

/** Text that can be stored and shown: no control characters. */
const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';
const PLAIN: Keywords = { pattern: PLAIN_TEXT };

/** An absolute URI (RFC 3986 section 4.3) in printable ASCII. */
const ABSOLUTE: Keywords = { format: 'uri', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[!-~]+$' };
const WITHOUT_FRAGMENT: Keywords = { format: 'uri', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[!-"$-~]+$' };

/** The address of a page, or one that the server uses; http is refused there unless the settings list the host. */
const WEB: Keywords = { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$' };
const SECURE: Keywords = { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-"$-~]+$' };

const GRANT_TYPE: Keywords = {
  maxLength: 200,
  pattern:
    "^(?:authorization_code|implicit|refresh_token|password|client_credentials|(?:urn:[A-Za-z0-9][A-Za-z0-9-]{1,31}:|https?://)[A-Za-z0-9._~:/?&=+%@!$'()*;-]+)$",
};

/** The values of a response type may come in any order; they are stored in alphabetical order. */
const RESPONSE_TYPE: Keywords = { pattern: '^(?:code|id_token|token)(?: (?:code|id_token|token)){0,2}$' };

/** One of a closed set, under a name of its own: generated clients then have one type of it. */
const choice = ($id: string, ...values: readonly string[]): Keywords => ({ enum: values, $id });
const each = (keywords: Keywords): Keywords => ({ items: keywords });

const SIGNING = choice('SigningAlgorithm', ...ASYMMETRIC_ALGORITHMS, ...HMAC_ALGORITHMS);
const ENCRYPTION = choice(
  'KeyManagementAlgorithm',
  ...ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
);
const CONTENT_ENCRYPTION = choice('ContentEncryptionAlgorithm', ...CONTENT_ENCRYPTION_ALGORITHMS);

const ALGORITHMS: Readonly<Record<string, Keywords>> = Object.fromEntries(
  Object.values(ALGORITHM_MEMBERS).flatMap(({ signing, encryption, contentEncryption }) => [
    [signing, SIGNING],
    [encryption, ENCRYPTION],
    [contentEncryption, CONTENT_ENCRYPTION],
  ]),
);

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

/** What the rules on client metadata say of single members beyond their types; the settings may permit less. */
const RULES: Readonly<Record<string, Keywords>> = {
  ...ALGORITHMS,
  application_type: choice('ApplicationType', 'web', 'native'),
  redirect_uris: each(ABSOLUTE),
  response_types: each(RESPONSE_TYPE),
  grant_types: each(GRANT_TYPE),
  contacts: each({ ...PLAIN, minLength: 1 }),
  client_name: PLAIN,
  client_uri: WEB,
  logo_uri: WEB,
  policy_uri: WEB,
  tos_uri: WEB,
  scope: { pattern: '^(?:[!#-\\[\\]-~]+(?: [!#-\\[\\]-~]+)*)?$' },
  software_id: PLAIN,
  software_version: PLAIN,
  software_statement: { pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$' },
  subject_type: choice('SubjectType', 'public', 'pairwise'),
  sector_identifier_uri: SECURE,
  jwks_uri: SECURE,
  jwks: KEY_SET,
  token_endpoint_auth_method: choice('ClientAuthMethod', ...CLIENT_AUTH_METHODS),
  token_endpoint_auth_signing_alg: SIGNING,
  introspection_signed_response_alg: choice('IntrospectionSigningAlgorithm', ...ASYMMETRIC_ALGORITHMS),
  // To the keys of the server, each of which is for one algorithm.
  request_object_encryption_alg: choice(
    'RequestObjectEncryptionAlgorithm',
    ...KEY_PAIR_ENCRYPTION_ALGORITHMS,
    ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  ),
  default_acr_values: each(PLAIN),
  initiate_login_uri: SECURE,
  request_uris: each(WEB),
  post_logout_redirect_uris: each(ABSOLUTE),
  frontchannel_logout_uri: WITHOUT_FRAGMENT,
  backchannel_logout_uri: SECURE,
  resource_identifiers: each(WITHOUT_FRAGMENT),
  client_registration_types: each(choice('ClientRegistrationType', 'explicit', 'automatic')),
};

/** The members of client metadata in requests: the schema that is checked, and the rules on single members. */
export const REQUESTED_METADATA: Readonly<Record<string, TSchema>> = membersWith((rule) => rule);

/**
 * The members of client metadata in responses: of the rules only the types that have a name. What was registered is shown
 * as it is stored, also where a rule of today came later.
 */
export const REGISTERED_METADATA: Readonly<Record<string, TSchema>> = membersWith((rule) =>
  isNamed(rule) || isNamed(Object(rule['items'])) ? rule : {},
);

/** The members that may be repeated in other languages (RFC 7591 section 2.2). */
const TAGGED = '^(?:client_name|client_uri|logo_uri|policy_uri|tos_uri)#.+$';

/**
 * Language-tagged members. Generated clients have no type for `patternProperties`: to them they are further members,
 * which they keep.
 */
export function languageTagged(value: object): Keywords {
  return { additionalProperties: true, 'x-patternProperties': { [TAGGED]: value } };
}

/** A member of a request: `null` is the same as leaving it out. */
export function nullable(member: TSchema): TSchema {
  const { allOf, type, ...rest }: Keywords = { ...member };
  const alternatives = Array.isArray(allOf)
    ? { anyOf: [...allOf, { type: 'null' }] }
    : { type: [type, 'null'] };
  return Type.Optional(Type.Unsafe({ ...rest, ...alternatives }));
}

/** A member with what its rule says; where that has a name of its own it says all of it. */
function withKeywords(member: TSchema, keywords: Keywords): TSchema {
  const { items, description, ...rest }: Keywords = { ...member };
  if (isNamed(keywords)) return Type.Unsafe({ description, allOf: [keywords] });
  const elements = Object(keywords['items']);
  const each = isNamed(elements) ? elements : { ...Object(items), ...elements };
  return Type.Unsafe({ description, ...rest, ...keywords, ...(items !== undefined && { items: each }) });
}

function membersWith(keywordsOf: (rule: Keywords) => Keywords): Readonly<Record<string, TSchema>> {
  const members = Object.entries(ClientMetadataSchema.properties);
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      Type.Optional(withKeywords(member, keywordsOf(RULES[name] ?? {}))),
    ]),
  );
}

function isNamed(schema: Keywords): boolean {
  return schema['$id'] !== undefined;
}
