import { JsonError, type JsonObject, type JsonValue, parseJson } from '@vestibule/protocol/json';
import { isIdle, plainName, textMember } from './entry-members.js';

type Reading = (value: string) => JsonValue | undefined;

const asText: Reading = (value) => value;
const asFlag: Reading = (value) => (value === 'true' ? true : undefined);
/** Keycloak joins the values of an attribute with `##`. */
const asTexts: Reading = (value) => listedValues(value);
/** `any` and `unsigned` mean the same as leaving the member out. */
const asAlgorithm: Reading = (value) => (['any', 'unsigned'].includes(value) ? undefined : value);

/** Attributes that correspond to a client metadata member. */
const MEMBERS: Readonly<Record<string, readonly [member: string, reading: Reading]>> = {
  'user.info.response.signature.alg': ['userinfo_signed_response_alg', asAlgorithm],
  'user.info.encrypted.response.alg': ['userinfo_encrypted_response_alg', asText],
  'user.info.encrypted.response.enc': ['userinfo_encrypted_response_enc', asText],
  'id.token.signed.response.alg': ['id_token_signed_response_alg', asText],
  'id.token.encrypted.response.alg': ['id_token_encrypted_response_alg', asText],
  'id.token.encrypted.response.enc': ['id_token_encrypted_response_enc', asText],
  'authorization.signed.response.alg': ['authorization_signed_response_alg', asText],
  'authorization.encrypted.response.alg': ['authorization_encrypted_response_alg', asText],
  'authorization.encrypted.response.enc': ['authorization_encrypted_response_enc', asText],
  'request.object.signature.alg': ['request_object_signing_alg', asAlgorithm],
  'request.object.encryption.alg': ['request_object_encryption_alg', asAlgorithm],
  'request.object.encryption.enc': ['request_object_encryption_enc', asAlgorithm],
  'request.uris': ['request_uris', asTexts],
  'token.endpoint.auth.signing.alg': ['token_endpoint_auth_signing_alg', asText],
  'tls.client.certificate.bound.access.tokens': ['tls_client_certificate_bound_access_tokens', asFlag],
  'dpop.bound.access.tokens': ['dpop_bound_access_tokens', asFlag],
  'require.pushed.authorization.requests': ['require_pushed_authorization_requests', asFlag],
  'default.acr.values': ['default_acr_values', asTexts],
  'backchannel.logout.url': ['backchannel_logout_uri', asText],
  'backchannel.logout.session.required': ['backchannel_logout_session_required', asFlag],
  'frontchannel.logout.url': ['frontchannel_logout_uri', asText],
  'frontchannel.logout.session.required': ['frontchannel_logout_session_required', asFlag],
  logoUri: ['logo_uri', asText],
  policyUri: ['policy_uri', asText],
  tosUri: ['tos_uri', asText],
};

/** Attributes that are read elsewhere, belong to other protocols or to the exporting server. */
const EXPECTED =
  /^(?:saml[._].*|post\.logout\.redirect\.uris|use\.refresh\.tokens|use\.jwks\.(?:url|string)|jwks\.(?:url|string)|x509\..*|request\.object\.required|realm_client|client\.secret\.creation\.time|client\.secret\.authentication\.allowed\.method|oauth2\.jwt\.authorization\.grant\.enabled|display\.on\.consent\.screen|exclude\..*|acr\.loa\.map|login_theme|token\.response\.type\.bearer\.lower-case|access\.token\.header\.type\.rfc9068)$/;

/** The client metadata from the attributes of a client. */
export interface KeycloakAttributes {
  readonly metadata: JsonObject;
  readonly warnings: readonly string[];
}

/**
 * Converts the attributes of a Keycloak client into client metadata, including keys, and warns about those that have no
 * equivalent.
 */
export function keycloakAttributes(attributes: JsonObject): KeycloakAttributes {
  const members: [string, JsonValue][] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    const [member, reading] = Object.hasOwn(MEMBERS, name) ? (MEMBERS[name] ?? []) : [];
    const read = typeof value === 'string' && value !== '' ? reading?.(value) : undefined;
    if (member !== undefined && read !== undefined) members.push([member, read]);
    const isUnderstood = member !== undefined || EXPECTED.test(name);
    if (!isUnderstood && !isIdle(value)) warnings.push(`The attribute ${plainName(name)} has no equivalent.`);
  }
  const keys = clientKeys(attributes);
  const required = requiredRequestObjects(attributes);
  return {
    metadata: { ...Object.fromEntries(members), ...keys.metadata, ...required.metadata },
    warnings: [...warnings, ...keys.warnings, ...required.warnings],
  };
}

/** Splits an attribute with several values. */
export function listedValues(value: string): readonly string[] {
  return value.split('##').filter((each) => each !== '');
}

const JWKS_LIMITS = { maxDepth: 6, maxMembers: 2_000 };

function clientKeys(attributes: JsonObject): KeycloakAttributes {
  const url = textMember(attributes, 'jwks.url');
  if (attributes['use.jwks.url'] === 'true' && url !== undefined)
    return { metadata: { jwks_uri: url }, warnings: [] };
  const text = textMember(attributes, 'jwks.string');
  if (attributes['use.jwks.string'] !== 'true' || text === undefined) return { metadata: {}, warnings: [] };
  try {
    return { metadata: { jwks: parseJson(text, JWKS_LIMITS) }, warnings: [] };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { metadata: {}, warnings: ['The attribute jwks.string is not a valid JWK set.'] };
  }
}

// Keycloak accepts unsigned request objects for these values; the nearest rule here is stricter.
function requiredRequestObjects(attributes: JsonObject): KeycloakAttributes {
  const required = textMember(attributes, 'request.object.required');
  if (required === undefined || required === 'not required') return { metadata: {}, warnings: [] };
  return {
    metadata: { require_signed_request_object: true },
    warnings: ['Request objects stay required, and must be signed.'],
  };
}
