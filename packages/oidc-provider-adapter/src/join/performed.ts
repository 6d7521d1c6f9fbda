import type { ClientViewOptions } from '../client-view.js';
import { isEnabled, type LibraryConfiguration, textsOf } from './library-configuration.js';

/** Defaults of the library. */
const RESPONSE_TYPES = ['code id_token', 'code', 'id_token', 'none'];
const SCOPES = ['openid', 'offline_access'];

/** What the library performs with a configuration, besides the grant types that the team adds itself. */
export function performedBy(
  configuration: LibraryConfiguration,
  extensionGrantTypes: readonly string[] = [],
): Required<ClientViewOptions> {
  const responseTypes = textsOf(configuration.responseTypes, RESPONSE_TYPES);
  const scopes = [...textsOf(configuration.scopes, SCOPES), ...scopesOfClaims(configuration)];
  const { features = {}, issueRefreshToken } = configuration;
  const hasRefreshTokens = scopes.includes('offline_access') || issueRefreshToken !== undefined;
  const grantTypes = [
    ...(responseTypes.some((type) => type.includes('code')) ? ['authorization_code'] : []),
    ...(responseTypes.some((type) => type.includes('token')) ? ['implicit'] : []),
    ...(hasRefreshTokens ? ['refresh_token'] : []),
    ...FEATURE_GRANT_TYPES.filter(([feature]) => isEnabled(features[feature], false)).map(([, type]) => type),
    ...extensionGrantTypes,
  ];
  return { grantTypes, responseTypes, scopes, acrValues: textsOf(configuration.acrValues) };
}

const FEATURE_GRANT_TYPES = [
  ['clientCredentials', 'client_credentials'],
  ['deviceFlow', 'urn:ietf:params:oauth:grant-type:device_code'],
  ['ciba', 'urn:openid:params:grant-type:ciba'],
] as const;

/** Claims with a list or an object of names are scope values too. */
function scopesOfClaims({ claims }: LibraryConfiguration): readonly string[] {
  if (claims === null || typeof claims !== 'object') return ['openid'];
  return Object.entries(claims).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' ? [name] : [],
  );
}
