import { JWT_TYP } from '@vestibule/protocol/constants';
import { customSetting, type Environment, loadSettings, type Reading } from '@vestibule/service/settings';
import {
  ASSERTION_SETTINGS,
  AUTHORIZATION_SERVER_SETTINGS,
  CLIENT_CERTIFICATE_SETTINGS,
  checkAuthorizationServerSettings,
  checkClientCertificateSettings,
  checkRedisSettings,
  checkTlsSettings,
  EGRESS_SETTINGS,
  OAUTH_SETTINGS,
  portSetting,
  REDIS_SETTINGS,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  TLS_SETTINGS,
  TRACE_SETTINGS,
} from '@vestibule/service/shared-settings';
import { type Static, Type } from 'typebox';

/** The settings of the introspection service, by environment variable. */
export const IntrospectionSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8082),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  ...STORE_SETTINGS,
  INTROSPECTION_PRUNE_AUDIENCE: Type.Boolean({
    description:
      'Whether `aud` of a response contains only the names of the caller, rather than the whole audience.',
    default: true,
  }),
  INTROSPECTION_NARROW_SCOPE: Type.Boolean({
    description:
      'Whether `scope` of a response contains only the values that the caller registered itself, rather than all.',
    default: false,
  }),
  INTROSPECTION_AUDIENCE_RULE: Type.Enum(['enforce', 'report'], {
    description:
      '`enforce`: a token is inactive for callers outside its audience. `report`: such callers get the response and are counted.',
    default: 'enforce',
  }),
  INTROSPECTION_INACTIVE_PER_MINUTE: Type.Integer({
    description: 'Inactive responses that a caller may get per minute before it is throttled; 0: no limit.',
    default: 6_000,
    minimum: 0,
    maximum: 1_000_000,
  }),
  INTROSPECTION_FAILED_AUTHENTICATIONS_PER_MINUTE: Type.Integer({
    description:
      'Failed authentications per minute that are refused without delay; further refusals are delayed by about a second. 0: no delay.',
    default: 60,
    minimum: 0,
    maximum: 1_000_000,
  }),
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  ACCESS_TOKEN_SIGNING_ALG: OAUTH_SETTINGS.ACCESS_TOKEN_SIGNING_ALG,
  ...AUTHORIZATION_SERVER_SETTINGS,
  INTROSPECTION_FORMAT: Type.Enum(['negotiated', 'json', 'jwt', 'legacy-jwt'], {
    description:
      'Format of responses: `negotiated` by `Accept`; or always `json`, `jwt` (RFC 9701) or `legacy-jwt` (draft 08 of RFC 9701).',
    default: 'negotiated',
  }),
  INTROSPECTION_JWT_TYPE: customSetting<string>({
    description:
      'Header `typ` of signed responses. Use `JWT` for old libraries only, because ID tokens have it too.',
    form: 'a media type without `application/` that no other kind of token has',
    default: JWT_TYP.introspectionResponse,
    read: readJwtType,
  }),
  CLIENT_SECRET_OVERLAP_SECONDS: Type.Integer({
    description:
      'How long the previous client secret keeps working after a replacement, in seconds; 0: not at all.',
    default: 0,
    minimum: 0,
    maximum: 2_592_000,
  }),
  ...ASSERTION_SETTINGS,
  ...TLS_SETTINGS,
  ...CLIENT_CERTIFICATE_SETTINGS,
  ...REDIS_SETTINGS,
  INTROSPECTION_CACHE_ENTRIES: Type.Integer({
    description: 'Maximum number of tokens in the in-process cache; 0: no in-process cache.',
    default: 100_000,
    minimum: 0,
    maximum: 5_000_000,
  }),
  INTROSPECTION_CACHE_MEGABYTES: Type.Integer({
    description: 'Memory that the in-process token cache may use, in megabytes (estimate).',
    default: 96,
    minimum: 1,
    maximum: 65_536,
  }),
  INTROSPECTION_SHARED_CACHE_TTL_MS: Type.Integer({
    description: 'How long a token state in Redis is used after it was read from Postgres, in milliseconds.',
    default: 5_000,
    minimum: 100,
    maximum: 5_000,
  }),
  INTROSPECTION_SHARED_CACHE_ENCRYPTED: Type.Boolean({
    description:
      'Whether token states in Redis are encrypted, so that access to Redis is not enough to read or to forge them.',
    default: true,
  }),
  INTROSPECTION_FAST_PATH: Type.Boolean({
    description:
      'Whether usual requests with a JSON response are served without Fastify. Never while requests are traced or logged (`LOG_LEVEL` `debug` or `trace`).',
    default: true,
  }),
  ...EGRESS_SETTINGS,
  API_PAGE_ENABLED: SHARED_SETTINGS.API_PAGE_ENABLED,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The validated settings of the introspection service. */
export type IntrospectionConfig = Readonly<Static<typeof IntrospectionSettings>>;

/**
 * Reads and validates the settings.
 * @throws SettingsError with every problem at once
 */
export function loadIntrospectionConfig(environment: Environment): IntrospectionConfig {
  return loadSettings(IntrospectionSettings, environment, [
    checkAuthorizationServerSettings,
    checkClientCertificateSettings,
    checkTlsSettings,
    checkRedisSettings,
  ]);
}

const MEDIA_SUBTYPE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}$/;

/** `typ` values of other tokens, for which a signed response must not be mistaken (RFC 8725 section 3.11). */
const OTHER_TYPES: readonly string[] = Object.values(JWT_TYP).filter(
  (type) => type !== JWT_TYP.introspectionResponse && type !== JWT_TYP.idToken,
);

function readJwtType(text: string): Reading<string> {
  if (!MEDIA_SUBTYPE.test(text)) return { problem: 'must be a media type without application/' };
  const isTaken = OTHER_TYPES.includes(text.toLowerCase());
  return isTaken ? { problem: 'must not be the type of another kind of token' } : { value: text };
}
