import type { JsonObject } from '@vestibule/protocol/json';
import Type from 'typebox';

/** Maximum length of a string in metadata, in characters; software statements may be longer. */
export const MAX_STRING_LENGTH = 2048;

/** Maximum length of `scope` that the settings can allow, in characters. */
export const MAX_SCOPE_LENGTH = 8192;

/** Maximum number of elements of an array in metadata. */
export const MAX_ARRAY_LENGTH = 100;

/** Maximum number of `request_uris` of a client. */
export const MAX_REQUEST_URIS = 10;

/** Maximum number of `resource_identifiers` of a client. */
export const MAX_RESOURCE_IDENTIFIERS = 20;

const MAX_STATEMENT_LENGTH = 16_384;

const text = (description: string, maxLength = MAX_STRING_LENGTH) =>
  Type.Optional(Type.String({ description, maxLength }));
const texts = (description: string, maxItems = MAX_ARRAY_LENGTH) =>
  Type.Optional(Type.Array(Type.String({ maxLength: MAX_STRING_LENGTH }), { description, maxItems }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const signing = (what: string) => text(`JWS algorithm of ${what}.`);
const encryption = (what: string) => text(`JWE key management algorithm of ${what}.`);
const contentEncryption = (what: string) =>
  text(`JWE content encryption of ${what}; A128CBC-HS256 if only the key management is given.`);

/**
 * Every known member with its type, in the order in which metadata is stored and returned. All other members are
 * ignored. Sources: RFC 7591 section 2, OpenID Connect Dynamic Client Registration 1.0 section 2, and those named at
 * the groups.
 */
export const ClientMetadataSchema = Type.Object({
  redirect_uris: texts('URIs that authorization responses may be sent to; compared character by character.'),
  response_types: texts(
    'Response types that the client uses. Default: what its grant types allow, code first.',
  ),
  grant_types: texts('Grant types that the client uses. Default: authorization_code.'),
  application_type: Type.Optional(
    Type.Enum(['web', 'native'], {
      description:
        'What kind of application it is. Default: native with a redirect URI on a loopback address or with a private-use scheme, otherwise web.',
    }),
  ),
  contacts: texts('Ways to contact people responsible for the client, such as email addresses.'),
  client_name: Type.Optional(
    Type.String({
      description: 'Name to show to end-users; may be language-tagged.',
      minLength: 1,
      maxLength: MAX_STRING_LENGTH,
    }),
  ),
  client_uri: text('Home page; may be language-tagged.'),
  logo_uri: text('Logo; may be language-tagged.'),
  policy_uri: text('Privacy policy; may be language-tagged.'),
  tos_uri: text('Terms of service; may be language-tagged.'),
  scope: text(
    'Scope values that the client may request, separated by spaces; at most CLIENT_SCOPE_MAX_LENGTH characters, 2048 by default.',
    MAX_SCOPE_LENGTH,
  ),
  software_id: text('Identifier of the software, the same for all its instances.'),
  software_version: text('Version of the software.'),
  software_statement: text('Signed statement about the software.', MAX_STATEMENT_LENGTH),
  subject_type: text('public or pairwise. Default: the first that the server supports.'),
  sector_identifier_uri: text('URL of a JSON array of all redirect URIs of the sector.'),
  jwks_uri: text('URL of the JWK set of the client.'),
  jwks: Type.Optional(Type.Unsafe<JsonObject>({ type: 'object', description: 'JWK set of the client.' })),
  token_endpoint_auth_method: text('How the client authenticates. Default: client_secret_basic.'),
  token_endpoint_auth_signing_alg: text('JWS algorithm of client assertions. Default: any of the method.'),
  // RFC 8705 sections 2.1.2 and 3.4.
  tls_client_auth_subject_dn: text('Subject distinguished name of the client certificate (RFC 4514).'),
  tls_client_auth_san_dns: text('DNS name in the client certificate.'),
  tls_client_auth_san_uri: text('URI in the client certificate.'),
  tls_client_auth_san_ip: text('IP address in the client certificate.'),
  tls_client_auth_san_email: text('Email address in the client certificate.'),
  tls_client_certificate_bound_access_tokens: flag(
    'Whether access tokens are bound to the client certificate.',
  ),
  // RFC 9449 section 5.2, RFC 9126 section 6, RFC 9101 section 10.5, RFC 9396 section 10.
  dpop_bound_access_tokens: flag('Whether access tokens are always bound to a DPoP key.'),
  require_pushed_authorization_requests: flag('Whether authorization requests must be pushed.'),
  require_signed_request_object: flag('Whether authorization requests must be signed request objects.'),
  authorization_details_types: texts('Authorization details types that the client uses.'),
  id_token_signed_response_alg: signing('ID tokens'),
  id_token_encrypted_response_alg: encryption('ID tokens'),
  id_token_encrypted_response_enc: contentEncryption('ID tokens'),
  userinfo_signed_response_alg: signing('UserInfo responses'),
  userinfo_encrypted_response_alg: encryption('UserInfo responses'),
  userinfo_encrypted_response_enc: contentEncryption('UserInfo responses'),
  request_object_signing_alg: signing('request objects'),
  request_object_encryption_alg: encryption('request objects'),
  request_object_encryption_enc: contentEncryption('request objects'),
  // JWT Secured Authorization Response Mode (JARM) section 3, RFC 9701 section 6.
  authorization_signed_response_alg: signing('authorization responses'),
  authorization_encrypted_response_alg: encryption('authorization responses'),
  authorization_encrypted_response_enc: contentEncryption('authorization responses'),
  introspection_signed_response_alg: signing('introspection responses. Default: that of access tokens'),
  introspection_encrypted_response_alg: encryption('introspection responses'),
  introspection_encrypted_response_enc: contentEncryption('introspection responses'),
  default_max_age: Type.Optional(
    Type.Integer({
      description: 'Seconds after which an end-user has to authenticate again.',
      minimum: 0,
      maximum: 2_147_483_647,
    }),
  ),
  require_auth_time: flag('Whether ID tokens always contain auth_time.'),
  default_acr_values: texts('Default authentication context classes of a request.'),
  initiate_login_uri: text('URI where a third party may start a login.'),
  request_uris: texts('URLs of request objects.', MAX_REQUEST_URIS),
  // OpenID Connect RP-Initiated, Front-Channel and Back-Channel Logout 1.0.
  post_logout_redirect_uris: texts('URIs that an end-user may be sent to after logout.'),
  frontchannel_logout_uri: text('URL that the browser loads to log out of the client.'),
  frontchannel_logout_session_required: flag('Whether that URL needs iss and sid.'),
  backchannel_logout_uri: text('URL that logout tokens are sent to.'),
  backchannel_logout_session_required: flag('Whether logout tokens need a sid.'),
  // RFC 8707 section 2; the names are ours.
  resource_identifiers: texts(
    'Absolute URIs that name this resource server in the audience of tokens, in addition to its client identifier; only for clients that may introspect.',
    MAX_RESOURCE_IDENTIFIERS,
  ),
  resource_scopes: text(
    'Scope values of this resource server, separated by spaces, that any client may request for it, whether or not the client registered them; only for clients that may introspect.',
  ),
  // OpenID Federation 1.0 section 5.1.2.
  client_registration_types: texts('How a federation entity registers.'),
});

/** Known members, each of the right type but otherwise not validated. */
export type RecognizedMembers = Type.Static<typeof ClientMetadataSchema>;

/** Name of a known member. */
export type MemberName = keyof RecognizedMembers;

/** Every known member, in order. */
export const MEMBER_NAMES = Object.keys(ClientMetadataSchema.properties) as readonly MemberName[];

/** Members that may be repeated in other languages as `name#tag` (RFC 7591 section 2.2). */
export const LANGUAGE_TAGGED_MEMBERS = [
  'client_name',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
] as const;
