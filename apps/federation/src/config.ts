import { parseEntityId, parseTrustAnchors } from '@vestibule/federation';
import type { JsonValue } from '@vestibule/protocol';
import {
  CLEAN_UP_SETTINGS,
  CLIENT_SETTINGS,
  EGRESS_SETTINGS,
  type Environment,
  loadSettings,
  OAUTH_SETTINGS,
  portSetting,
  type SettingsCheck,
  SHARED_SETTINGS,
  STORE_SETTINGS,
} from '@vestibule/service-kit';
import { type Static, Type } from 'typebox';
import {
  anchorsSetting,
  entitiesSetting,
  ownMarksSetting,
  requiredMarksSetting,
  rightsSetting,
} from './federation-settings.js';

const Count = (description: string, fallback: number, maximum: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum });

const TEN_YEARS_S = 315_360_000;

/** The settings of the federation service, by environment variable. */
export const FederationServiceSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8084),
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  TRUSTED_PROXIES: SHARED_SETTINGS.TRUSTED_PROXIES,
  ...STORE_SETTINGS,
  ...CLEAN_UP_SETTINGS,
  MASTER_TOKEN_SHA256: SHARED_SETTINGS.MASTER_TOKEN_SHA256,
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  FEDERATION_ENABLED: OAUTH_SETTINGS.FEDERATION_ENABLED,
  FEDERATION_TRUST_ANCHORS: anchorsSetting,
  FEDERATION_AUTHORITY_HINTS: entitiesSetting('Our own immediate superiors.'),
  FEDERATION_MAX_PATH_LENGTH: Count('Most intermediates between an entity and its anchor.', 2, 10),
  FEDERATION_RIGHTS: rightsSetting,
  FEDERATION_REQUIRED_TRUST_MARKS: requiredMarksSetting,
  FEDERATION_TRUST_MARKS: ownMarksSetting,
  FEDERATION_ORGANIZATION_NAME: Type.Optional(
    Type.String({
      description: 'Name of the organisation in our entity configuration.',
      minLength: 1,
      maxLength: 200,
    }),
  ),
  FEDERATION_STATEMENT_LIFETIME_SECONDS: Type.Integer({
    description: 'Life of our entity configuration and signed key set, in seconds.',
    default: 604_800,
    minimum: 300,
    maximum: TEN_YEARS_S,
  }),
  FEDERATION_CLIENT_LIFETIME_SECONDS: Count(
    'Longest life of a registration, in seconds; 0 for as long as the trust chain.',
    0,
    TEN_YEARS_S,
  ),
  FEDERATION_CACHE_SECONDS: Count(
    'How long statements that were fetched are kept at most, in seconds; 0 for not at all.',
    300,
    86_400,
  ),
  FEDERATION_FAILURE_MEMORY_SECONDS: Count(
    'How long a statement that could not be fetched is not asked for again, in seconds; 0 for not at all.',
    30,
    3_600,
  ),
  FEDERATION_REGISTRATIONS_PER_MINUTE: Count(
    'Registrations that may be tried in a minute; 0 for any number.',
    300,
    1_000_000,
  ),
  FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: Count(
    'Registrations that may be tried in a minute from one network (/24, /56); 0 for any number.',
    30,
    1_000_000,
  ),
  PROVIDER_METADATA_URL: Type.Optional(
    Type.String({
      description:
        'Where the discovery document of the authorisation server lies; by default below BASE_URL. Its host must be reachable under the rules on outside addresses.',
      format: 'uri',
      minLength: 1,
      maxLength: 2048,
    }),
  ),
  REGISTRABLE_GRANT_TYPES: OAUTH_SETTINGS.REGISTRABLE_GRANT_TYPES,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  ...CLIENT_SETTINGS,
  ...EGRESS_SETTINGS,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The settings of the federation service, checked. */
export type FederationServiceConfig = Readonly<Static<typeof FederationServiceSettings>>;

/**
 * Reads the settings. Those of the federation are checked when it is enabled.
 * @throws SettingsError with every problem at once
 */
export function loadFederationConfig(environment: Environment): FederationServiceConfig {
  return loadSettings(FederationServiceSettings, environment, [
    whenEnabled(({ BASE_URL, EGRESS_ALLOW_HOSTS }) =>
      problemUnless(
        parseEntityId(BASE_URL, EGRESS_ALLOW_HOSTS) !== undefined,
        'BASE_URL',
        'must be an entity identifier: https, or http on a host of EGRESS_ALLOW_HOSTS',
      ),
    ),
    whenEnabled(({ FEDERATION_TRUST_ANCHORS, EGRESS_ALLOW_HOSTS }) => {
      const problem = anchorsProblem(FEDERATION_TRUST_ANCHORS, EGRESS_ALLOW_HOSTS);
      return problem === undefined ? [] : [{ name: 'FEDERATION_TRUST_ANCHORS', problem }];
    }),
    whenEnabled(({ FEDERATION_AUTHORITY_HINTS, EGRESS_ALLOW_HOSTS }) =>
      problemUnless(
        FEDERATION_AUTHORITY_HINTS.every((hint) => parseEntityId(hint, EGRESS_ALLOW_HOSTS) !== undefined),
        'FEDERATION_AUTHORITY_HINTS',
        'must be entity identifiers: https, or http on hosts of EGRESS_ALLOW_HOSTS',
      ),
    ),
  ]);
}

type Check = SettingsCheck<FederationServiceConfig>;

function whenEnabled(check: Check): Check {
  return (config) => (config.FEDERATION_ENABLED ? check(config) : []);
}

function problemUnless(isGood: boolean, name: string, problem: string) {
  return isGood ? [] : [{ name, problem }];
}

function anchorsProblem(anchors: JsonValue, allowHosts: readonly string[]): string | undefined {
  try {
    parseTrustAnchors(anchors, allowHosts);
    return undefined;
  } catch (error) {
    // Its sentences name a rule and quote nothing.
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
