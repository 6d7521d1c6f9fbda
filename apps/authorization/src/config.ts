import { checkEnrolmentSettings, ENROLMENT_SETTINGS } from '@vestibule/service-kit/enrolment-settings';
import {
  ASSERTION_SETTINGS,
  CLEAN_UP_SETTINGS,
  CLIENT_CERTIFICATE_SETTINGS,
  CLIENT_SETTINGS,
  checkClientCertificateSettings,
  EGRESS_SETTINGS,
  type Environment,
  isLoopback,
  KEY_COPY_SETTINGS,
  loadSettings,
  OAUTH_SETTINGS,
  portSetting,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  secretValueSetting,
  TRACE_SETTINGS,
} from '@vestibule/service-kit/settings';
import { MAX_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens';
import { type Static, Type } from 'typebox';
import { DEFAULT_DEMO_USERS, type DemoUsers, parseDemoUsers } from './demo/demo-users.js';

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
  FEDERATION_ENABLED: OAUTH_SETTINGS.FEDERATION_ENABLED,
  ...ENROLMENT_SETTINGS,
  FEDERATION_AUTOMATIC_CLIENT_LIFETIME_SECONDS: Type.Integer({
    description:
      'Longest life of an automatic registration, in seconds; 0 for as long as the trust chain. Clients in use are renewed before.',
    default: 3_600,
    minimum: 0,
    maximum: MAX_TOKEN_LIFETIME_SECONDS,
  }),
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  ...CLIENT_SETTINGS,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  ACCESS_TOKEN_SIGNING_ALG: OAUTH_SETTINGS.ACCESS_TOKEN_SIGNING_ALG,
  KEY_SET_MAX_AGE_SECONDS: KEY_COPY_SETTINGS.KEY_SET_MAX_AGE_SECONDS,
  LOGOUT_PATH: OAUTH_SETTINGS.LOGOUT_PATH,
  ACCESS_TOKEN_LENGTH: Type.Integer({
    description: 'Characters of an identifier-based access token.',
    default: 43,
    minimum: 43,
    maximum: 256,
  }),
  ACCESS_TOKEN_LIFETIME_SECONDS: Lifetime('an access token', 600),
  ID_TOKEN_LIFETIME_SECONDS: Lifetime('an ID token', 600),
  INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS: Lifetime('an initial access token', 86_400),
  REFRESH_TOKEN_LIFETIME_SECONDS: Type.Integer({
    description: 'Life of a refresh token, in seconds.',
    default: 1_209_600,
    minimum: 1,
    maximum: MAX_TOKEN_LIFETIME_SECONDS,
  }),
  SESSION_LIFETIME_SECONDS: Type.Integer({
    description: 'How long a login lasts after its last use, in seconds.',
    default: 86_400,
    minimum: 1,
    maximum: MAX_TOKEN_LIFETIME_SECONDS,
  }),
  RESOURCE_TOKEN_FORMAT: Type.Enum(['jwt', 'identifier'], {
    description:
      'Format of access tokens that are asked for one resource server; all others are identifier-based.',
    default: 'jwt',
  }),
  ...ASSERTION_SETTINGS,
  DEMO_USERS: Type.Optional(
    secretValueSetting<DemoUsers>({
      description:
        'People who can log in to the demonstration; `alice:alice,bob:bob` where the address is a loopback one, and refused elsewhere.',
      form: 'comma-separated name:password',
      read: (text) => {
        const users = parseDemoUsers(text);
        return users === undefined ? { problem: 'must be comma-separated name:password' } : { value: users };
      },
    }),
  ),
  ...CLIENT_CERTIFICATE_SETTINGS,
  ...EGRESS_SETTINGS,
  API_PAGE_ENABLED: SHARED_SETTINGS.API_PAGE_ENABLED,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The settings of the authorisation server, checked. */
export type AuthorizationConfig = Readonly<Static<typeof AuthorizationServiceSettings>> & {
  readonly DEMO_USERS: DemoUsers;
};

/**
 * Reads the settings.
 * @throws SettingsError with every problem at once
 */
export function loadAuthorizationConfig(environment: Environment): AuthorizationConfig {
  const config = loadSettings(AuthorizationServiceSettings, environment, [
    ({ MASTER_TOKEN_SHA256 }) =>
      MASTER_TOKEN_SHA256.length > 0 ? [] : [{ name: 'MASTER_TOKEN_SHA256', problem: 'is required' }],
    ({ SIGNING_ALGORITHMS, ACCESS_TOKEN_SIGNING_ALG }) =>
      SIGNING_ALGORITHMS.includes(ACCESS_TOKEN_SIGNING_ALG)
        ? []
        : [{ name: 'ACCESS_TOKEN_SIGNING_ALG', problem: 'must be one of SIGNING_ALGORITHMS' }],
    ({ BASE_URL, DEMO_USERS }) =>
      DEMO_USERS === undefined || isLocal(BASE_URL)
        ? []
        : [{ name: 'DEMO_USERS', problem: 'is for a BASE_URL on a loopback address alone' }],
    checkClientCertificateSettings,
    checkEnrolmentSettings,
  ]);
  return { DEMO_USERS: isLocal(config.BASE_URL) ? DEFAULT_DEMO_USERS : new Map(), ...config };
}

function isLocal(address: string): boolean {
  return isLoopback(new URL(address).hostname);
}
