import { discoveryMembers, federationMembers, type SupportedMetadata } from '@vestibule/metadata';
import type { Issuer } from '@vestibule/protocol';
import { ENDPOINT_PATH, introspectionEndpoint, registrationEndpoint } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Interaction } from './interaction/interaction.js';
import { OPENID_SCOPES, supportedClaims } from './provider/claims.js';
import { performedMetadata } from './provider/performed-metadata.js';
import { DPOP_ALGORITHMS } from './provider/provider-configuration.js';

/** The content of the discovery document. */
export interface DiscoveryContent {
  readonly issuer: Issuer;
  readonly supported: SupportedMetadata;
  readonly logoutPath?: string;
  /** The authentication context classes of logins. Default: none. */
  readonly interaction?: Pick<Interaction, 'acrValues'>;
  /** The scope values that anyone may register; absent if open registration is off. */
  readonly openScopes?: readonly string[];
  /** Whether federation entities may register. Default: false. */
  readonly isFederationEnabled?: boolean;
  /** Identifiers of the protected resources to publish. Default: none. */
  readonly protectedResources?: readonly string[];

  /** Whether clients may identify themselves by a client ID metadata document. Default: false. */
  readonly takesMetadataDocuments?: boolean;
}

/**
 * The discovery document (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2, RFC 9728 section 4): what this
 * server performs, and what clients may register.
 */
export function discoveryDocument({
  issuer,
  supported,
  logoutPath = ENDPOINT_PATH.logout,
  isFederationEnabled = false,
  protectedResources = [],

  takesMetadataDocuments = false,
  openScopes = OPENID_SCOPES,
  interaction: { acrValues = [] } = {},
}: DiscoveryContent): JsonObject {
  return {
    issuer,
    jwks_uri: issuer + ENDPOINT_PATH.jwks,
    registration_endpoint: registrationEndpoint(issuer),
    introspection_endpoint: introspectionEndpoint(issuer),
    end_session_endpoint: issuer + logoutPath,
    introspection_endpoint_auth_methods_supported: introspectionAuthMethods(supported),
    introspection_endpoint_auth_signing_alg_values_supported: supported.authSigningAlgorithms,
    ...discoveryMembers({ ...supported, ...performedMetadata(supported) }),
    ...providerMembers(issuer, supported),
    // A client that copies these values can register. An empty list is omitted (RFC 8414 section 2).
    ...(openScopes.length > 0 && { scopes_supported: openScopes }),
    ...(protectedResources.length > 0 && { protected_resources: protectedResources }),
    claims_supported: supportedClaims(acrValues),
    ...(acrValues.length > 0 && { acr_values_supported: acrValues }),
    ...LOGOUT_CHANNELS,
    ...(isFederationEnabled && federationMembers(issuer)),
    // draft-ietf-oauth-client-id-metadata-document-03 section 6.
    ...(takesMetadataDocuments && { client_id_metadata_document_supported: true }),
  };
}

/** Clients are notified of a logout by both channels, with the `sid` of the session. */
const LOGOUT_CHANNELS = {
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
};

/** What node-oidc-provider performs here. */
function providerMembers(
  issuer: Issuer,
  { authMethods, authSigningAlgorithms }: SupportedMetadata,
): JsonObject {
  return {
    authorization_endpoint: issuer + ENDPOINT_PATH.authorization,
    pushed_authorization_request_endpoint: issuer + ENDPOINT_PATH.pushedAuthorization,
    token_endpoint: issuer + ENDPOINT_PATH.token,
    userinfo_endpoint: issuer + ENDPOINT_PATH.userinfo,
    revocation_endpoint: issuer + ENDPOINT_PATH.revocation,
    revocation_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_signing_alg_values_supported: authSigningAlgorithms,
    response_modes_supported: RESPONSE_MODES,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    tls_client_certificate_bound_access_tokens: true,
    authorization_response_iss_parameter_supported: true,
    require_pushed_authorization_requests: false,
    claims_parameter_supported: true,
    request_parameter_supported: true,
    // Only addresses of pushed requests are accepted.
    request_uri_parameter_supported: false,
  };
}

const RESPONSE_MODES = [
  ...['query', 'fragment', 'form_post'],
  ...['jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
];

/** Every client authentication method, and access tokens, which are named by their token type (RFC 8414 section 2). */
function introspectionAuthMethods({ authMethods }: SupportedMetadata): readonly string[] {
  return [...authMethods.filter((method) => method !== 'none'), 'Bearer'];
}
