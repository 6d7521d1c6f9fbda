import { ASYMMETRIC_ALGORITHMS, ENDPOINT_PATH } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';

/**
 * Builds the discovery members that say how federation entities may register: explicitly, or automatically with a proof
 * in requests to the authorization endpoints (OpenID Federation 1.0 section 5.1.3; proofs by endpoint are members of
 * earlier drafts).
 * @param issuer Our issuer, which is also our entity identifier.
 */
export function federationMembers(issuer: string): JsonObject {
  return {
    client_registration_types_supported: ['automatic', 'explicit'],
    federation_registration_endpoint: issuer + ENDPOINT_PATH.federationRegistration,
    signed_jwks_uri: issuer + ENDPOINT_PATH.signedJwks,
    request_authentication_methods_supported: {
      authorization_endpoint: ['request_object'],
      pushed_authorization_request_endpoint: [
        'private_key_jwt',
        'self_signed_tls_client_auth',
        'tls_client_auth',
        'request_object',
      ],
    },
    request_authentication_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
  };
}
