import type { ClientAuthMethod } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';

declare const registeredBrand: unique symbol;

/**
 * Client metadata that passed every rule, with defaults filled in and unknown members left out: exactly what is stored
 * and returned. All names are wire names (RFC 7591 section 2, OpenID Connect Dynamic Client Registration 1.0 section
 * 2). Made by `validateClientMetadata`; a store may restore what it stored.
 */
export type ClientMetadata = JsonObject & {
  readonly [registeredBrand]: true;
  readonly redirect_uris?: readonly string[];
  readonly response_types: readonly string[];
  readonly grant_types: readonly string[];
  readonly application_type: 'web' | 'native';
  readonly token_endpoint_auth_method: ClientAuthMethod;
  readonly token_endpoint_auth_signing_alg?: string;
  readonly scope?: string;
  readonly jwks?: JsonObject;
  readonly jwks_uri?: string;
  readonly subject_type: 'public' | 'pairwise';
  readonly sector_identifier_uri?: string;
  readonly software_statement?: string;
  readonly resource_identifiers?: readonly string[];
  readonly resource_scopes?: string;
  readonly id_token_signed_response_alg: string;
  readonly post_logout_redirect_uris?: readonly string[];
  readonly frontchannel_logout_uri?: string;
  readonly frontchannel_logout_session_required?: boolean;
  readonly backchannel_logout_uri?: string;
  readonly backchannel_logout_session_required?: boolean;
};
