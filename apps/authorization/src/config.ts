import {
  CLEAN_UP_SETTINGS,
  type Environment,
  loadSettings,
  OAUTH_SETTINGS,
  portSetting,
  SHARED_SETTINGS,
  STORE_SETTINGS,
} from '@vestibule/service-kit';
import { MAX_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens';
import { type Static, Type } from 'typebox';

const Lifetime = (subject: string, fallback: number) =>
  Type.Integer({
    description: `Life of ${subject} where a request names none, in seconds.`,
    default: fallback,
    minimum: 1,
    maximum: MAX_TOKEN_LIFETIME_SECONDS,
  });

/** The settings of the authorisation server, by environment variable. */
export const AuthorizationServiceSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8085),
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  ...STORE_SETTINGS,
  ...CLEAN_UP_SETTINGS,
  MASTER_TOKEN_SHA256: SHARED_SETTINGS.MASTER_TOKEN_SHA256,
  REGISTRABLE_GRANT_TYPES: OAUTH_SETTINGS.REGISTRABLE_GRANT_TYPES,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  ACCESS_TOKEN_SIGNING_ALG: OAUTH_SETTINGS.ACCESS_TOKEN_SIGNING_ALG,
  ACCESS_TOKEN_LENGTH: Type.Integer({
    description: 'Characters of an identifier-based access token.',
    default: 43,
    minimum: 43,
    maximum: 256,
  }),
  ACCESS_TOKEN_LIFETIME_SECONDS: Lifetime('an access token', 600),
  ID_TOKEN_LIFETIME_SECONDS: Lifetime('an ID token', 600),
  INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS: Lifetime('an initial access token', 86_400),
  TRUSTED_PROXIES: SHARED_SETTINGS.TRUSTED_PROXIES,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The settings of the authorisation server, checked. */
export type AuthorizationConfig = Readonly<Static<typeof AuthorizationServiceSettings>>;

/**
 * Reads the settings.
 * @throws SettingsError with every problem at once
 */
export function loadAuthorizationConfig(environment: Environment): AuthorizationConfig {
  return loadSettings(AuthorizationServiceSettings, environment, [
    ({ MASTER_TOKEN_SHA256 }) =>
      MASTER_TOKEN_SHA256.length > 0 ? [] : [{ name: 'MASTER_TOKEN_SHA256', problem: 'is required' }],
    ({ SIGNING_ALGORITHMS, ACCESS_TOKEN_SIGNING_ALG }) =>
      SIGNING_ALGORITHMS.includes(ACCESS_TOKEN_SIGNING_ALG)
        ? []
        : [{ name: 'ACCESS_TOKEN_SIGNING_ALG', problem: 'must be one of SIGNING_ALGORITHMS' }],
  ]);
}
