import { parseStatementIssuers, type StatementIssuers } from '@vestibule/clients/software-statements';
import { isAllowedHost, parseAllowedHosts } from '@vestibule/protocol';
import { JsonError, parseJson } from '@vestibule/protocol/json';
import { REGISTRATION_POLICY_SETTINGS } from '@vestibule/service/client-registration-settings';
import { customSetting, type Environment, loadSettings, type Reading } from '@vestibule/service/settings';
import {
  ASSERTION_SETTINGS,
  CLEAN_UP_SETTINGS,
  CLIENT_CERTIFICATE_SETTINGS,
  CLIENT_SETTINGS,
  CROSS_ORIGIN_SETTINGS,
  checkClientCertificateSettings,
  checkOpenScopes,
  checkRedisSettings,
  EGRESS_SETTINGS,
  OAUTH_SETTINGS,
  portSetting,
  REDIS_SETTINGS,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  TRACE_SETTINGS,
} from '@vestibule/service/shared-settings';
import { type Static, Type } from 'typebox';
import { OPEN_REGISTRATION_SETTINGS } from './open-registration-config.js';

const Seconds = (description: string, fallback: number, maximum: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum });

/** Allows a JWK set per issuer. */
const ISSUERS_LIMITS = { maxDepth: 6, maxMembers: 5_000 };

function readIssuers(text: string): Reading<StatementIssuers> {
  try {
    return { value: parseStatementIssuers(parseJson(text, ISSUERS_LIMITS)) };
  } catch (error) {
    // Both messages name rules and members and quote no value.
    if (error instanceof TypeError || error instanceof JsonError) return { problem: error.message };
    throw error;
  }
}

/** Settings of the registration service, by environment variable. */
export const RegistrationServiceSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8081),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  ...STORE_SETTINGS,
  ...CLEAN_UP_SETTINGS,
  ...REDIS_SETTINGS,
  MASTER_TOKEN_SHA256: SHARED_SETTINGS.MASTER_TOKEN_SHA256,
  ALLOW_OPEN_REGISTRATION: OAUTH_SETTINGS.ALLOW_OPEN_REGISTRATION,
  OPEN_REGISTRATION_SCOPES: OAUTH_SETTINGS.OPEN_REGISTRATION_SCOPES,
  ...OPEN_REGISTRATION_SETTINGS,
  INITIAL_TOKEN_AUDIENCE_REQUIRED: Type.Boolean({
    description: 'Whether initial access tokens must have an audience: the issuer or this endpoint.',
    default: true,
  }),
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  REGISTRATION_CREATED_STATUS: customSetting<200 | 201>({
    description:
      'Status of a successful registration. RFC 7591 says 201; OpenID certification and strict clients need it.',
    form: '200 or 201',
    default: 200,
    read: (text) =>
      text === '200' ? { value: 200 } : text === '201' ? { value: 201 } : { problem: 'must be 200 or 201' },
  }),
  REGISTRABLE_GRANT_TYPES: OAUTH_SETTINGS.REGISTRABLE_GRANT_TYPES,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  CLIENT_ID_LENGTH: CLIENT_SETTINGS.CLIENT_ID_LENGTH,
  CLIENT_SECRET_LENGTH: CLIENT_SETTINGS.CLIENT_SECRET_LENGTH,
  REGISTRATION_TOKEN_LENGTH: Type.Integer({
    description: 'Characters of a generated registration access token.',
    default: 43,
    minimum: 43,
    maximum: 256,
  }),
  CLIENT_SECRET_LIFETIME_SECONDS: CLIENT_SETTINGS.CLIENT_SECRET_LIFETIME_SECONDS,
  CLIENT_SECRET_OVERLAP_SECONDS: CLIENT_SETTINGS.CLIENT_SECRET_OVERLAP_SECONDS,
  PREVIOUS_SECRET_RETENTION_SECONDS: CLIENT_SETTINGS.PREVIOUS_SECRET_RETENTION_SECONDS,
  ROTATE_SECRET_ON_UPDATE: Type.Boolean({
    description: 'Whether every update issues a new secret.',
    default: true,
  }),
  ROTATE_REGISTRATION_TOKEN_ON_UPDATE: Type.Boolean({
    description: 'Whether every update issues a new registration access token.',
    default: true,
  }),
  IDEMPOTENCY_RETENTION_SECONDS: Seconds(
    'How long the response to a registration with an Idempotency-Key is stored for retries, in seconds; 0 to ignore the header.',
    86_400,
    2_592_000,
  ),
  ALLOW_LOOPBACK_REDIRECT_URIS: CLIENT_SETTINGS.ALLOW_LOOPBACK_REDIRECT_URIS,
  PRIVATE_USE_SCHEMES: CLIENT_SETTINGS.PRIVATE_USE_SCHEMES,
  CLIENT_SCOPE_MAX_LENGTH: CLIENT_SETTINGS.CLIENT_SCOPE_MAX_LENGTH,
  SOFTWARE_STATEMENT_ISSUERS: customSetting<StatementIssuers>({
    description: 'Issuers whose software statements are trusted, each with its JWK set or the URL of one.',
    form: 'a JSON object of issuers',
    default: parseStatementIssuers({}),
    read: readIssuers,
  }),
  SOFTWARE_STATEMENT_REQUIRED: Type.Boolean({
    description: 'Whether every registration and update needs a software statement.',
    default: false,
  }),
  ...REGISTRATION_POLICY_SETTINGS,
  ...ASSERTION_SETTINGS,
  FAILED_AUTHENTICATIONS_PER_MINUTE: Type.Integer({
    description:
      'Invalid credentials per minute at `/clients/{client_id}/verify` that get a response without delay; further responses are delayed by about a second. 0 for no limit.',
    default: 60,
    minimum: 0,
    maximum: 1_000_000,
  }),
  ...EGRESS_SETTINGS,
  ...CLIENT_CERTIFICATE_SETTINGS,
  ...CROSS_ORIGIN_SETTINGS,
  API_PAGE_ENABLED: SHARED_SETTINGS.API_PAGE_ENABLED,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** Validated settings of the registration service. */
export type RegistrationConfig = Readonly<Static<typeof RegistrationServiceSettings>>;

/**
 * Loads and validates the settings.
 * @throws SettingsError with every problem at once
 */
export function loadRegistrationConfig(environment: Environment): RegistrationConfig {
  return loadSettings(RegistrationServiceSettings, environment, [
    checkRedisSettings,
    // Without either, no client could ever be registered.
    ({ ALLOW_OPEN_REGISTRATION, MASTER_TOKEN_SHA256 }) =>
      ALLOW_OPEN_REGISTRATION || MASTER_TOKEN_SHA256.length > 0
        ? []
        : [{ name: 'MASTER_TOKEN_SHA256', problem: 'is required unless ALLOW_OPEN_REGISTRATION is true' }],
    checkOpenScopes,
    ({ OPEN_REGISTRATION_GRANT_TYPES, REGISTRABLE_GRANT_TYPES }) =>
      OPEN_REGISTRATION_GRANT_TYPES.every((grantType) => REGISTRABLE_GRANT_TYPES.includes(grantType))
        ? []
        : [
            {
              name: 'OPEN_REGISTRATION_GRANT_TYPES',
              problem: 'must only list values of REGISTRABLE_GRANT_TYPES',
            },
          ],
    ({ SOFTWARE_STATEMENT_ISSUERS, SOFTWARE_STATEMENT_REQUIRED }) =>
      SOFTWARE_STATEMENT_REQUIRED && SOFTWARE_STATEMENT_ISSUERS.size === 0
        ? [
            {
              name: 'SOFTWARE_STATEMENT_ISSUERS',
              problem: 'is required when SOFTWARE_STATEMENT_REQUIRED is true',
            },
          ]
        : [],
    // Key sets at other addresses could never be fetched.
    ({ SOFTWARE_STATEMENT_ISSUERS, EGRESS_ALLOW_HOSTS }) =>
      addressesOf(SOFTWARE_STATEMENT_ISSUERS).every((address) => isReachable(address, EGRESS_ALLOW_HOSTS))
        ? []
        : [
            {
              name: 'SOFTWARE_STATEMENT_ISSUERS',
              problem: 'must have https URLs, or hosts listed in EGRESS_ALLOW_HOSTS',
            },
          ],
    checkClientCertificateSettings,
  ]);
}

function addressesOf(issuers: StatementIssuers): readonly URL[] {
  return [...issuers.values()].flatMap((keys) => ('address' in keys ? [new URL(keys.address)] : []));
}

function isReachable(address: URL, allowedHosts: readonly string[]): boolean {
  return address.protocol === 'https:' || isAllowedHost(parseAllowedHosts(allowedHosts), address);
}
