import type { SupportedMetadata } from '@vestibule/metadata';

/** The grant types that the server performs. */
const GRANT_TYPES: readonly string[] = [
  'authorization_code',
  'implicit',
  'refresh_token',
  'client_credentials',
];

/** Limits metadata to what the server performs as well: a token alone, without an ID token or a code, is not. */
export function performedMetadata(
  supported: SupportedMetadata,
): Pick<SupportedMetadata, 'grantTypes' | 'responseTypes'> {
  return {
    grantTypes: supported.grantTypes.filter((grantType) => GRANT_TYPES.includes(grantType)),
    responseTypes: supported.responseTypes.filter((responseType) => responseType !== 'token'),
  };
}
