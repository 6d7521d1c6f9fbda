import { DRAFT_PROFILE_USES, parseEntityId } from '@vestibule/federation';
import {
  checkFederationRegistrationSettings,
  entitiesSetting,
  FEDERATION_REGISTRATION_SETTINGS,
  ownMarksSetting,
} from '@vestibule/service/federation-registration-settings';
import { type Environment, isLoopback, loadSettings } from '@vestibule/service/settings';
import {
  CLEAN_UP_SETTINGS,
  CLIENT_SETTINGS,
  checkOpenScopes,
  EGRESS_SETTINGS,
  KEY_COPY_SETTINGS,
  OAUTH_SETTINGS,
  portSetting,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  TRACE_SETTINGS,
} from '@vestibule/service/shared-settings';
import { type Static, Type } from 'typebox';
import { ENTITY_INFORMATION_SETTINGS } from './entity-information.js';

const TEN_YEARS_S = 315_360_000;

/** The settings of the federation service, by environment variable. */
export const FederationServiceSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8084),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  TRUSTED_PROXIES: SHARED_SETTINGS.TRUSTED_PROXIES,
  ...STORE_SETTINGS,
  ...CLEAN_UP_SETTINGS,
  MASTER_TOKEN_SHA256: SHARED_SETTINGS.MASTER_TOKEN_SHA256,
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  FEDERATION_ENABLED: OAUTH_SETTINGS.FEDERATION_ENABLED,
  ...FEDERATION_REGISTRATION_SETTINGS,
  FEDERATION_OLDER_DIALECT: Type.Enum(DRAFT_PROFILE_USES, {
    description:
      'Which registration requests of the draft profile (application/jose) are accepted: accepted: all; keys_only: without aud only for clients that need no secret; audience_required: only with aud; refused: none. Anyone who has read a published entity configuration can post it as a request without aud and receives the client secret.',
    default: 'accepted',
  }),
  FEDERATION_AUTHORITY_HINTS: entitiesSetting(
    'Entity identifiers of the immediate superiors of the provider.',
  ),
  FEDERATION_TRUST_MARKS: ownMarksSetting,
  ...ENTITY_INFORMATION_SETTINGS,
  ...KEY_COPY_SETTINGS,
  FEDERATION_CLIENT_LIFETIME_SECONDS: Type.Integer({
    description: 'Maximum lifetime of a registration, in seconds; 0 for the lifetime of the trust chain.',
    default: 0,
    minimum: 0,
    maximum: TEN_YEARS_S,
  }),
  PROVIDER_METADATA_URL: Type.Optional(
    Type.String({
      description:
        'Address of the discovery document of the authorization server. Default: below BASE_URL. The rules for outgoing requests must allow its host.',
      format: 'uri',
      minLength: 1,
      maxLength: 2048,
    }),
  ),
  REGISTRABLE_GRANT_TYPES: OAUTH_SETTINGS.REGISTRABLE_GRANT_TYPES,
  OPEN_REGISTRATION_SCOPES: OAUTH_SETTINGS.OPEN_REGISTRATION_SCOPES,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  ...CLIENT_SETTINGS,
  ...EGRESS_SETTINGS,
  API_PAGE_ENABLED: SHARED_SETTINGS.API_PAGE_ENABLED,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The validated settings of the federation service. */
export type FederationServiceConfig = Readonly<Static<typeof FederationServiceSettings>>;

/**
 * Reads the settings. Those of the federation are validated only if it is enabled.
 * @throws SettingsError with every problem at once
 */
export function loadFederationConfig(environment: Environment): FederationServiceConfig {
  return loadSettings(FederationServiceSettings, environment, [
    checkFederationRegistrationSettings,
    checkOpenScopes,
    ({ FEDERATION_ENABLED, FEDERATION_AUTHORITY_HINTS, EGRESS_ALLOW_HOSTS }) => {
      const isGood = (hint: string) => parseEntityId(hint, EGRESS_ALLOW_HOSTS) !== undefined;
      return FEDERATION_ENABLED && !FEDERATION_AUTHORITY_HINTS.every(isGood)
        ? [{ name: 'FEDERATION_AUTHORITY_HINTS', problem: NO_ENTITIES }]
        : [];
    },
  ]);
}

const NO_ENTITIES = 'must be entity identifiers: https, or http on hosts of EGRESS_ALLOW_HOSTS';

/** Warnings to log at start about settings that are accepted but risky on a public address. */
export function federationWarnings({
  BASE_URL,
  FEDERATION_ENABLED,
  FEDERATION_OLDER_DIALECT,
}: Pick<
  FederationServiceConfig,
  'BASE_URL' | 'FEDERATION_ENABLED' | 'FEDERATION_OLDER_DIALECT'
>): readonly string[] {
  const isRisky = FEDERATION_ENABLED && FEDERATION_OLDER_DIALECT === 'accepted';
  if (!isRisky || isLoopback(new URL(BASE_URL).hostname)) return [];
  return [
    'FEDERATION_OLDER_DIALECT=accepted: anyone who has read a published entity configuration can register it without aud and receives the client secret; set audience_required unless members cannot send aud',
  ];
}
