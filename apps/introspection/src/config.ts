import { JWT_TYP } from '@vestibule/protocol';
import {
  ASSERTION_SETTINGS,
  CLIENT_CERTIFICATE_SETTINGS,
  checkClientCertificateSettings,
  checkRedisSettings,
  checkTlsSettings,
  customSetting,
  EGRESS_SETTINGS,
  type Environment,
  loadSettings,
  OAUTH_SETTINGS,
  portSetting,
  REDIS_SETTINGS,
  type Reading,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  TLS_SETTINGS,
  TRACE_SETTINGS,
} from '@vestibule/service-kit/settings';
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
      'Whether a caller sees of the audience of a token itself alone, rather than the whole of it.',
    default: true,
  }),
  INTROSPECTION_NARROW_SCOPE: Type.Boolean({
    description:
      'Whether a caller sees of the scope of a token only the values that it registered itself, rather than all.',
    default: false,
  }),
  INTROSPECTION_AUDIENCE_RULE: Type.Enum(['enforce', 'report'], {
    description:
      'Whether a token is inactive for callers outside its audience, or such callers are only counted.',
    default: 'enforce',
  }),
  INTROSPECTION_INACTIVE_PER_MINUTE: Type.Integer({
    description:
      'How many inactive answers a caller may get in a minute before it is throttled; 0 for no limit.',
    default: 6_000,
    minimum: 0,
    maximum: 1_000_000,
  }),
  INTROSPECTION_FAILED_AUTHENTICATIONS_PER_MINUTE: Type.Integer({
    description:
      'How many callers that fail to prove themselves are refused at once in a minute; the others learn it about a second later. 0: all at once.',
    default: 60,
    minimum: 0,
    maximum: 1_000_000,
  }),
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  ACCESS_TOKEN_SIGNING_ALG: OAUTH_SETTINGS.ACCESS_TOKEN_SIGNING_ALG,
  INTROSPECTION_FORMAT: Type.Enum(['negotiated', 'json', 'jwt', 'legacy-jwt'], {
    description:
      'Format of responses: what `Accept` asks for; or always JSON, the JWT of RFC 9701, or its legacy form.',
    default: 'negotiated',
  }),
  INTROSPECTION_JWT_TYPE: customSetting<string>({
    description: 'Header `typ` of signed responses. `JWT` is for old libraries: ID tokens have it too.',
    form: 'a media type without `application/`, of no other kind of token',
    default: JWT_TYP.introspectionResponse,
    read: readJwtType,
  }),
  CLIENT_SECRET_OVERLAP_SECONDS: Type.Integer({
    description: 'How long a replaced client secret may go on authenticating, in seconds; 0 for not at all.',
    default: 0,
    minimum: 0,
    maximum: 2_592_000,
  }),
  ...ASSERTION_SETTINGS,
  ...TLS_SETTINGS,
  ...CLIENT_CERTIFICATE_SETTINGS,
  ...REDIS_SETTINGS,
  INTROSPECTION_CACHE_ENTRIES: Type.Integer({
    description: 'How many tokens this process remembers; 0 for none.',
    default: 100_000,
    minimum: 0,
    maximum: 5_000_000,
  }),
  INTROSPECTION_CACHE_MEGABYTES: Type.Integer({
    description: 'About how much memory those tokens may take, in megabytes.',
    default: 96,
    minimum: 1,
    maximum: 65_536,
  }),
  INTROSPECTION_SHARED_CACHE_TTL_MS: Type.Integer({
    description: 'How long a token state in Redis is used after Postgres was asked for it, in milliseconds.',
    default: 5_000,
    minimum: 100,
    maximum: 5_000,
  }),
  INTROSPECTION_SHARED_CACHE_ENCRYPTED: Type.Boolean({
    description: 'Whether token states in Redis are sealed: against whoever can read or write there.',
    default: true,
  }),
  ...EGRESS_SETTINGS,
  API_PAGE_ENABLED: SHARED_SETTINGS.API_PAGE_ENABLED,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The settings of the introspection service, checked. */
export type IntrospectionConfig = Readonly<Static<typeof IntrospectionSettings>>;

/**
 * Reads the settings.
 * @throws SettingsError with every problem at once
 */
export function loadIntrospectionConfig(environment: Environment): IntrospectionConfig {
  return loadSettings(IntrospectionSettings, environment, [
    checkClientCertificateSettings,
    checkTlsSettings,
    checkRedisSettings,
  ]);
}

const MEDIA_SUBTYPE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}$/;

/** Types of tokens that a signed response must never pass for (RFC 8725 section 3.11). */
const OTHER_TYPES: readonly string[] = Object.values(JWT_TYP).filter(
  (type) => type !== JWT_TYP.introspectionResponse && type !== JWT_TYP.idToken,
);

function readJwtType(text: string): Reading<string> {
  if (!MEDIA_SUBTYPE.test(text)) return { problem: 'must be a media type without application/' };
  const isTaken = OTHER_TYPES.includes(text.toLowerCase());
  return isTaken ? { problem: 'must not be the type of another kind of token' } : { value: text };
}
