import type { JsonObject } from '@vestibule/protocol/json';
import { ALGORITHM_USES, type AlgorithmUse, type SupportedMetadata } from './supported-metadata.js';

/**
 * Builds the discovery members that follow from the supported metadata (OpenID Connect Discovery 1.0 section 3, RFC
 * 8414 section 2, JARM section 4, RFC 9701 section 7). The caller adds endpoints, issuer and other capabilities.
 */
export function discoveryMembers(supported: SupportedMetadata): JsonObject {
  const algorithms = ALGORITHM_USES.flatMap((use) => Object.entries(algorithmMembers(supported, use)));
  return {
    grant_types_supported: supported.grantTypes,
    response_types_supported: supported.responseTypes,
    subject_types_supported: supported.subjectTypes,
    token_endpoint_auth_methods_supported: supported.authMethods,
    token_endpoint_auth_signing_alg_values_supported: supported.authSigningAlgorithms,
    ...Object.fromEntries(algorithms),
    ...(supported.authorizationDetailsTypes.length > 0 && {
      authorization_details_types_supported: supported.authorizationDetailsTypes,
    }),
  };
}

function algorithmMembers(supported: SupportedMetadata, use: AlgorithmUse): JsonObject {
  const { signing, encryption, contentEncryption } = supported.algorithms[use];
  return {
    ...(signing.length > 0 && { [`${use}_signing_alg_values_supported`]: signing }),
    ...(encryption.length > 0 && { [`${use}_encryption_alg_values_supported`]: encryption }),
    ...(contentEncryption.length > 0 && { [`${use}_encryption_enc_values_supported`]: contentEncryption }),
  };
}
