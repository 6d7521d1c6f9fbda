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
    introspection_endpoint_auth_methods_supported: INTROSPECTION_AUTH_METHODS,
    ...discoveryMembers(supported),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

const INTROSPECTION_AUTH_METHODS = ['client_secret_basic', 'client_secret_post'];
