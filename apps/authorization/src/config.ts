import { ACCESS_TOKEN_TYPES, JWT_TYP } from '@vestibule/protocol/constants';
import {
  checkMetadataDocumentSettings,
  METADATA_DOCUMENT_SETTINGS,
  REGISTRATION_POLICY_SETTINGS,
} from '@vestibule/service/client-registration-settings';
import {
  checkFederationRegistrationSettings,
  FEDERATION_REGISTRATION_SETTINGS,
} from '@vestibule/service/federation-registration-settings';
import {
  type Environment,
  isLoopback,
  loadSettings,
  type SettingsProblem,
  secretValueSetting,
} from '@vestibule/service/settings';
import {
  ASSERTION_SETTINGS,
  AUTHORIZATION_SERVER_SETTINGS,
  CLEAN_UP_SETTINGS,
  CLIENT_CERTIFICATE_SETTINGS,
  CLIENT_SETTINGS,
  checkAuthorizationServerSettings,
  checkClientCertificateSettings,
  checkOpenScopes,
  checkUpstreamIssuer,
  EGRESS_SETTINGS,
  INITIAL_TOKEN_SETTINGS,
  KEY_COPY_SETTINGS,
  OAUTH_SETTINGS,
  portSetting,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  TRACE_SETTINGS,
} from '@vestibule/service/shared-settings';
import { MAX_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens/issuing';
import { type Static, Type } from 'typebox';
import { checkWebhookSettings, WEBHOOK_SETTINGS } from './changes/webhook-settings.js';
import { DEFAULT_DEMO_USERS, type DemoUsers, parseDemoUsers } from './demo/demo-users.js';
import { protectedResourcesSetting } from './protected-resources-setting.js';
import { resourceDefaultScopesSetting } from './resource-default-scopes.js';
import { checkUpstreamSettings, UPSTREAM_SETTINGS } from './upstream/upstream-settings.js';

const Lifetime = (subject: string, fallback: number) =>
  Type.Integer({
    description: `Lifetime of ${subject} if the request does not specify one, in seconds.`,
    default: fallback,
    minimum: 1,
    maximum: MAX_TOKEN_LIFETIME_SECONDS,
  });

/** The settings of the authorization server, by environment variable. */
export const AuthorizationServiceSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8085),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  ...STORE_SETTINGS,
  ...CLEAN_UP_SETTINGS,
  ...WEBHOOK_SETTINGS,
  MASTER_TOKEN_SHA256: SHARED_SETTINGS.MASTER_TOKEN_SHA256,
  REGISTRABLE_GRANT_TYPES: OAUTH_SETTINGS.REGISTRABLE_GRANT_TYPES,
  FEDERATION_ENABLED: OAUTH_SETTINGS.FEDERATION_ENABLED,
  ALLOW_OPEN_REGISTRATION: OAUTH_SETTINGS.ALLOW_OPEN_REGISTRATION,
  OPEN_REGISTRATION_SCOPES: OAUTH_SETTINGS.OPEN_REGISTRATION_SCOPES,
  ...FEDERATION_REGISTRATION_SETTINGS,
  FEDERATION_AUTOMATIC_CLIENT_LIFETIME_SECONDS: Type.Integer({
    description:
      'Maximum lifetime of an automatic registration, in seconds; 0 for the lifetime of the trust chain. Clients in use are renewed before.',
    default: 3_600,
    minimum: 0,
    maximum: MAX_TOKEN_LIFETIME_SECONDS,
  }),
  ...METADATA_DOCUMENT_SETTINGS,
  ...REGISTRATION_POLICY_SETTINGS,
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  ...CLIENT_SETTINGS,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  ACCESS_TOKEN_SIGNING_ALG: OAUTH_SETTINGS.ACCESS_TOKEN_SIGNING_ALG,
  ...AUTHORIZATION_SERVER_SETTINGS,
  KEY_SET_MAX_AGE_SECONDS: KEY_COPY_SETTINGS.KEY_SET_MAX_AGE_SECONDS,
  LOGOUT_PATH: OAUTH_SETTINGS.LOGOUT_PATH,
  OPENID_PROVIDER_ENABLED: Type.Boolean({
    description:
      'Whether this service is the OpenID provider: login, `/authorize`, `/token`, `/userinfo` and discovery. `false` if another server is: then it serves only the direct authorization endpoint and the key set.',
    default: true,
  }),
  ACCESS_TOKEN_TYP: Type.Enum([...ACCESS_TOKEN_TYPES], {
    description:
      'Header `typ` of self-contained access tokens. `JWT` is for decoders that refuse `at+jwt` (RFC 9068), such as the default one of Spring Security; ID tokens have it too, so resource servers must check `aud`. Introspection reads both.',
    default: JWT_TYP.accessToken,
  }),
  ACCESS_TOKEN_LENGTH: INITIAL_TOKEN_SETTINGS.ACCESS_TOKEN_LENGTH,
  ACCESS_TOKEN_LIFETIME_SECONDS: Lifetime('an access token', 600),
  ID_TOKEN_LIFETIME_SECONDS: Lifetime('an ID token', 600),
  INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS: INITIAL_TOKEN_SETTINGS.INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS,
  REFRESH_TOKEN_LIFETIME_SECONDS: Type.Integer({
    description: 'Lifetime of a refresh token, in seconds.',
    default: 1_209_600,
    minimum: 1,
    maximum: MAX_TOKEN_LIFETIME_SECONDS,
  }),
  SESSION_LIFETIME_SECONDS: Type.Integer({
    description: 'Lifetime of a session after its last use, in seconds.',
    default: 86_400,
    minimum: 1,
    maximum: MAX_TOKEN_LIFETIME_SECONDS,
  }),
  RESOURCE_TOKEN_FORMAT: Type.Enum(['jwt', 'identifier'], {
    description:
      'Format of access tokens requested for one resource server; all others are identifier-based.',
    default: 'jwt',
  }),
  RESOURCE_DEFAULT_SCOPES: resourceDefaultScopesSetting,
  RESOURCE_REQUIRED: Type.Boolean({
    description:
      'Whether requests with scope values for resource servers must name the resource server in `resource`. Scope values of OpenID Connect and addresses of this server need none.',
    default: false,
  }),
  PROTECTED_RESOURCES: protectedResourcesSetting,
  LOGOUT_ENDS_OFFLINE_ACCESS_TOKENS: Type.Boolean({
    description:
      'Whether a logout, by the end-user, an operator or expiry, also revokes the access tokens issued so far in that session with `offline_access`. Their refresh tokens stay and give new access tokens. It applies to access tokens issued while it is on.',
    default: false,
  }),
  PKCE_REQUIRED: Type.Enum(['public', 'all'], {
    description:
      'Which clients must use PKCE (RFC 7636): `public` for clients without authentication, or `all`.',
    default: 'public',
  }),
  ...ASSERTION_SETTINGS,
  FAILED_AUTHENTICATIONS_PER_MINUTE: Type.Integer({
    description:
      'Failed client authentications per minute that get a response without delay at the token, revocation and pushed authorization request endpoints; further responses are delayed by about a second. 0 for no limit.',
    default: 60,
    minimum: 0,
    maximum: 1_000_000,
  }),
  STORED_REQUESTS_PER_MINUTE_AND_NETWORK: Type.Integer({
    description:
      'Authorization requests of each kind per minute, process and network (/24, /56) that may be stored before a client or an end-user is authenticated. The kinds are posted forms, requests that wait for a login or a consent, and pushed requests of clients without authentication. 0 for no limit.',
    default: 600,
    minimum: 0,
    maximum: 1_000_000,
  }),
  DEMO_USERS: Type.Optional(
    secretValueSetting<DemoUsers>({
      description:
        'Accounts of the demonstration login. Not together with UPSTREAM_ISSUER, and allowed only if BASE_URL and HOST are loopback addresses, and then `alice:alice,bob:bob` by default; DEMO_USERS_ON_ANY_HOST lifts the rule about HOST.',
      form: 'comma-separated name:password',
      read: (text) => {
        const users = parseDemoUsers(text);
        return users === undefined ? { problem: 'must be comma-separated name:password' } : { value: users };
      },
    }),
  ),
  DEMO_USERS_ON_ANY_HOST: Type.Boolean({
    description:
      'Whether the demonstration login is available if HOST is not a loopback address. Only for containers whose port is published on a loopback address.',
    default: false,
  }),
  ...UPSTREAM_SETTINGS,
  ...CLIENT_CERTIFICATE_SETTINGS,
  ...EGRESS_SETTINGS,
  API_PAGE_ENABLED: SHARED_SETTINGS.API_PAGE_ENABLED,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The validated settings of the authorization server. */
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
    demonstrationProblems,
    checkAuthorizationServerSettings,
    checkClientCertificateSettings,
    checkFederationRegistrationSettings,
    checkMetadataDocumentSettings,
    checkOpenScopes,
    checkWebhookSettings,
    checkUpstreamIssuer,
    checkUpstreamSettings,
  ]);
  const isDemonstration = demonstrationProblem(config) === undefined;
  return { DEMO_USERS: isDemonstration ? DEFAULT_DEMO_USERS : new Map(), ...config };
}

type DemonstrationSettings = Pick<
  Readonly<Static<typeof AuthorizationServiceSettings>>,
  'BASE_URL' | 'HOST' | 'DEMO_USERS_ON_ANY_HOST' | 'UPSTREAM_ISSUER'
>;

/** The reason why the demonstration login, whose passwords are public, is not available; `undefined` if it is. */
function demonstrationProblem({
  BASE_URL,
  HOST,
  DEMO_USERS_ON_ANY_HOST: isOnAnyHost,
  UPSTREAM_ISSUER: upstream,
}: DemonstrationSettings): string | undefined {
  if (upstream !== undefined) return 'has no meaning together with UPSTREAM_ISSUER';
  if (!isLoopback(new URL(BASE_URL).hostname)) return 'requires a BASE_URL on a loopback address';
  if (isOnAnyHost || isLoopback(HOST) || HOST === '::1') return undefined;
  return 'requires HOST to be a loopback address such as 127.0.0.1, or DEMO_USERS_ON_ANY_HOST=true';
}

function demonstrationProblems(
  settings: DemonstrationSettings & { readonly DEMO_USERS?: DemoUsers | undefined },
): readonly SettingsProblem[] {
  const problem = demonstrationProblem(settings);
  return settings.DEMO_USERS === undefined || problem === undefined ? [] : [{ name: 'DEMO_USERS', problem }];
}
