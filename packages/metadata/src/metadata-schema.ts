import type { JsonObject } from '@vestibule/protocol';
import Type from 'typebox';

/** The longest string in metadata, in characters; software statements may be longer. */
export const MAX_STRING_LENGTH = 2048;

/** The longest `scope` that the settings can allow, in characters. */
export const MAX_SCOPE_LENGTH = 8192;

/** The most elements of an array in metadata. */
export const MAX_ARRAY_LENGTH = 100;

/** The most `request_uris` of a client. */
export const MAX_REQUEST_URIS = 10;

/** The most `resource_identifiers` of a client. */
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
  text(`JWE content encryption of ${what}; A128CBC-HS256 when only the key management is given.`);

/**
 * Every member that is understood, with its type, in the order in which metadata is stored and shown. Members outside
 * it are ignored. Sources: RFC 7591 section 2, OpenID Connect Dynamic Client Registration 1.0 section 2, and those
 * named at the groups.
 */
export const ClientMetadataSchema = Type.Object({
  redirect_uris: texts('Where authorisation answers may be sent; compared character by character.'),
  response_types: texts(
    'Response types that the client uses. Default: what its grant types allow, code first.',
  ),
  grant_types: texts('Grant types that the client uses. Default: authorization_code.'),
  application_type: Type.Optional(
    Type.Enum(['web', 'native'], { description: 'What kind of application it is. Default: web.' }),
  ),
  contacts: texts('Ways to contact people responsible for the client, such as mail addresses.'),
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
  sector_identifier_uri: text('JSON array of all redirect URIs of the sector.'),
  jwks_uri: text('Address of the JWK set of the client.'),
  jwks: Type.Optional(Type.Unsafe<JsonObject>({ type: 'object', description: 'JWK set of the client.' })),
  token_endpoint_auth_method: text('How the client authenticates. Default: client_secret_basic.'),
  token_endpoint_auth_signing_alg: text('JWS algorithm of client assertions. Default: any of the method.'),
  // RFC 8705 sections 2.1.2 and 3.4.
  tls_client_auth_subject_dn: text('Subject distinguished name of the client certificate (RFC 4514).'),
  tls_client_auth_san_dns: text('DNS name in the client certificate.'),
  tls_client_auth_san_uri: text('URI in the client certificate.'),
  tls_client_auth_san_ip: text('IP address in the client certificate.'),
  tls_client_auth_san_email: text('Mail address in the client certificate.'),
  tls_client_certificate_bound_access_tokens: flag(
    'Whether access tokens are bound to the client certificate.',
  ),
  // RFC 9449 section 5.2, RFC 9126 section 6, RFC 9101 section 10.5, RFC 9396 section 10.
  dpop_bound_access_tokens: flag('Whether access tokens are always bound to a DPoP key.'),
  require_pushed_authorization_requests: flag('Whether authorisation requests must be pushed.'),
  require_signed_request_object: flag('Whether authorisation requests must be signed request objects.'),
  authorization_details_types: texts('Types of authorisation details that the client uses.'),
  id_token_signed_response_alg: signing('ID tokens'),
  id_token_encrypted_response_alg: encryption('ID tokens'),
  id_token_encrypted_response_enc: contentEncryption('ID tokens'),
  userinfo_signed_response_alg: signing('UserInfo answers'),
  userinfo_encrypted_response_alg: encryption('UserInfo answers'),
  userinfo_encrypted_response_enc: contentEncryption('UserInfo answers'),
  request_object_signing_alg: signing('request objects'),
  request_object_encryption_alg: encryption('request objects'),
  request_object_encryption_enc: contentEncryption('request objects'),
  // JWT Secured Authorization Response Mode (JARM) section 3, RFC 9701 section 6.
  authorization_signed_response_alg: signing('authorisation answers'),
  authorization_encrypted_response_alg: encryption('authorisation answers'),
  authorization_encrypted_response_enc: contentEncryption('authorisation answers'),
  introspection_signed_response_alg: signing('introspection answers. Default: that of access tokens'),
  introspection_encrypted_response_alg: encryption('introspection answers'),
  introspection_encrypted_response_enc: contentEncryption('introspection answers'),
  default_max_age: Type.Optional(
    Type.Integer({
      description: 'Seconds after which an end-user has to authenticate again.',
      minimum: 0,
      maximum: 2_147_483_647,
    }),
  ),
  require_auth_time: flag('Whether ID tokens always tell the time of authentication.'),
  default_acr_values: texts('Authentication context classes to ask for when a request names none.'),
  initiate_login_uri: text('Where a third party may start a login.'),
  request_uris: texts('Addresses of request objects.', MAX_REQUEST_URIS),
  // OpenID Connect RP-Initiated, Front-Channel and Back-Channel Logout 1.0.
  post_logout_redirect_uris: texts('Where an end-user may be sent after logout.'),
  frontchannel_logout_uri: text('Address that the browser loads to log out of the client.'),
  frontchannel_logout_session_required: flag('Whether that address needs iss and sid.'),
  backchannel_logout_uri: text('Address that logout tokens are sent to.'),
  backchannel_logout_session_required: flag('Whether logout tokens need a sid.'),
  // RFC 8707 section 2; the name is ours.
  resource_identifiers: texts(
    'Absolute URIs that name this resource server in the audience of tokens, beside its client identifier; for clients that may introspect.',
    MAX_RESOURCE_IDENTIFIERS,
  ),
  // OpenID Federation 1.0 section 5.1.2.
  client_registration_types: texts('How a federation entity registers.'),
});

/** The members that are understood, each of its type and nothing more known about them. */
export type RecognisedMembers = Type.Static<typeof ClientMetadataSchema>;

/** The name of a member that is understood. */
export type MemberName = keyof RecognisedMembers;

/** Every member that is understood, in order. */
export const MEMBER_NAMES = Object.keys(ClientMetadataSchema.properties) as readonly MemberName[];

/** Members that may be repeated in other languages as `name#tag` (RFC 7591 section 2.2). */
export const LANGUAGE_TAGGED_MEMBERS = [
  'client_name',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
] as const;
