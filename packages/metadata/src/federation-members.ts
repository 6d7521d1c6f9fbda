import { ENDPOINT_PATH, type JsonObject } from '@vestibule/protocol';

/**
 * The members of a discovery document by which a provider says that entities of federations may register explicitly
 * (OpenID Federation 1.0 section 5.1.3).
 * @param issuer Our issuer, which is also our entity identifier.
 */
export function federationMembers(issuer: string): JsonObject {
  return {
    client_registration_types_supported: ['explicit'],
    federation_registration_endpoint: issuer + ENDPOINT_PATH.federationRegistration,
    signed_jwks_uri: issuer + ENDPOINT_PATH.signedJwks,
  };
}
