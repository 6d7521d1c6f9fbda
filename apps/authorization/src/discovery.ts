import { discoveryMembers, type SupportedMetadata } from '@vestibule/metadata';
import {
  ENDPOINT_PATH,
  type Issuer,
  introspectionEndpoint,
  type JsonObject,
  registrationEndpoint,
} from '@vestibule/protocol';

/**
 * The discovery document (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2): what this server performs, and
 * what clients may register.
 */
export function discoveryDocument(issuer: Issuer, supported: SupportedMetadata): JsonObject {
  return {
    issuer,
    jwks_uri: issuer + ENDPOINT_PATH.jwks,
    registration_endpoint: registrationEndpoint(issuer),
    introspection_endpoint: introspectionEndpoint(issuer),
    introspection_endpoint_auth_methods_supported: introspectionAuthMethods(supported),
    introspection_endpoint_auth_signing_alg_values_supported: supported.authSigningAlgorithms,
    ...discoveryMembers(supported),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

/** Every way to prove who calls, and access tokens, for which the type of the token stands (RFC 8414 section 2). */
function introspectionAuthMethods({ authMethods }: SupportedMetadata): readonly string[] {
  return [...authMethods.filter((method) => method !== 'none'), 'Bearer'];
}
