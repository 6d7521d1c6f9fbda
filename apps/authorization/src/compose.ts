import { importedSecrets } from '@vestibule/client-auth';
import { createMasterToken, secureRandom } from '@vestibule/crypto';
import type { OtherServerKeys } from '@vestibule/crypto/signing-keys';
import type { Store } from '@vestibule/database';
import { type AgreedSettings, agreedSessionCookie } from '@vestibule/database/agreed-settings';
import { createEgress, type Egress } from '@vestibule/egress';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { openFailedAuthenticationThrottle, supportedClientMetadata } from '@vestibule/service';
import { composeMetadataDocuments } from '@vestibule/service/client-registration';
import {
  type FederationRegistrationMetrics,
  NO_FEDERATION_REGISTRATION_METRICS,
} from '@vestibule/service/federation';
import { clientCertificateOptions, clientCertificateReader } from '@vestibule/service/tls';
import type { UpstreamError } from '@vestibule/service/upstream';
import { type ChangeFollowerDeps, changeFollower } from '@vestibule/tokens/changes';
import { revokeOwnToken } from '@vestibule/tokens/revocation';
import { changeStreams } from './changes/change-streams.js';
import { automaticClients, type RefusedRegistration } from './compose-automatic-clients.js';
import type { AuthorizationConfig } from './config.js';
import { demoInteraction } from './demo/demo-interaction.js';
import type { AuthorizationServiceDeps, CountImports } from './deps.js';
import { type DocumentReports, NO_DOCUMENT_REPORTS } from './document-reports.js';
import type { Interaction } from './interaction/interaction.js';
import type { RefusedClient } from './provider/client-refusals.js';
import { cookieNames } from './provider/cookies.js';
import type { ProviderSettings } from './provider/provider-deps.js';
import { openStoredRequestLimit, type ThrottledRequest } from './provider/stored-request-limit.js';
import { composeUpstream } from './upstream/compose-upstream.js';
import type { UpstreamOutcome } from './upstream/upstream-outcome.js';

/** Parts that can be given beside the settings. Each has a default. */
export interface AuthorizationParts {
  /** Default: the clock of the store. */
  readonly clock?: Clock;
  /** Keys of another authorization server of the operator, with the same issuer. Default: none. */
  readonly authorizationServerKeys?: OtherServerKeys | undefined;
  /** Default: a client for outgoing requests of its own, with the hosts of the settings. */
  readonly egress?: Pick<Egress, 'fetchDocument'>;
  /**
   * For client ID metadata documents, whose hosts anyone may name: hosts that hang must not hold up other fetches.
   * Default: a client for outgoing requests of its own, with the hosts of the settings.
   */
  readonly documentEgress?: Pick<Egress, 'fetchDocument' | 'fetchCacheable'>;
  /** Login and consent. Default: at the other provider in the settings, else the demonstration for the accounts there. */
  readonly interaction?: Interaction;
  /** For requests to the other provider. Default: a client for outgoing requests of its own, which may reach it. */
  readonly upstreamEgress?: Pick<Egress, 'fetchDocument'>;
  /** Called for each failure of the other provider, for the log. */
  readonly onUpstreamProblem?: (error: UpstreamError) => void;
  /** Called for each login at the other provider that ended, for metrics. */
  readonly onUpstreamLogin?: (outcome: UpstreamOutcome) => void;
  /** Called for each internal error of the library, for the log. */
  readonly onProblem?: (error: unknown) => void;
  /** Metrics of automatic registrations. Default: none. */
  readonly metrics?: FederationRegistrationMetrics;
  /** Called for each refused automatic registration, for the log. */
  readonly onRefused?: (refusal: RefusedRegistration) => void;
  /** What is counted and logged of client ID metadata documents. Default: nothing. */
  readonly documentReports?: DocumentReports;
  /** Called for each authorization request that is throttled by network, for the log and for metrics. */
  readonly onThrottled?: (throttled: ThrottledRequest) => void;
  /** Called for each failed client authentication, for the log and for metrics. */
  readonly onRefusedClient?: (refused: RefusedClient) => void;
  /** Counts imported tokens. Default: not counted. */
  readonly countImports?: CountImports;
  /** Called for each JWT of which nothing is revoked because it does not verify, for the log and for metrics. */
  readonly onUnverifiedJwt?: (reason: string) => void;
  /** Called when changes cannot be read at the moment, for the log. */
  readonly onChangesProblem?: (error: unknown) => void;
  /** Called when changes begin or cease to wait for an older transaction, for metrics. */
  readonly onChangesPending?: ChangeFollowerDeps['onPending'];
}

/** Composes the dependencies of the server from its settings and a store. */
export function composeAuthorization(
  config: AuthorizationConfig,
  store: Store,
  parts: AuthorizationParts = {},
): AuthorizationServiceDeps {
  const { database, encryptor, digester, providerKeys, clientUses } = store;
  const { authorizationServerKeys, clock = store.clock } = parts;
  const ownEgress = () => createEgress({ allowHosts: config.EGRESS_ALLOW_HOSTS, clock });
  const { egress = ownEgress(), documentEgress = ownEgress() } = parts;
  const { onProblem = () => undefined, onRefused = () => undefined } = parts;
  const { metrics = NO_FEDERATION_REGISTRATION_METRICS, onRefusedClient = () => undefined } = parts;
  const { onThrottled = () => undefined, countImports, onUnverifiedJwt } = parts;
  const { onChangesProblem = () => undefined, onChangesPending } = parts;
  const { documentReports = NO_DOCUMENT_REPORTS } = parts;
  const { upstreamEgress, onUpstreamProblem = () => undefined, onUpstreamLogin = () => undefined } = parts;
  const { accessTokens, revocations } = database;
  const failedAuthentications = openFailedAuthenticationThrottle(
    config.RATE_LIMITS_ENABLED,
    config.FAILED_AUTHENTICATIONS_PER_MINUTE,
  );
  const storedRequests = openStoredRequestLimit(config, clock, onThrottled);
  const otherKeys = authorizationServerKeys && { authorizationServerKeys };
  const ownTokens = {
    clock,
    issuer: config.BASE_URL,
    digester,
    keys: providerKeys,
    ...otherKeys,
    accessTokens,
    revocations,
  };
  const documents = composeMetadataDocuments(config, store, {
    ...documentReports,
    clock,
    egress: documentEgress,
    onProblem,
  });
  const shared = {
    clock,
    issuer: config.BASE_URL,
    random: secureRandom,
    digester,
    encryptor,
    clients: database.clients,
    blocks: database.clientBlocks,
    records: database.providerRecords,
    replays: database.replays,
    supported: supportedClientMetadata(config),
  };
  const upstream = composeUpstream(config, {
    ...shared,
    egress: upstreamEgress,
    onProblem: onUpstreamProblem,
    onLogin: onUpstreamLogin,
  });
  const { interaction = upstream ?? demoInteraction(config.DEMO_USERS) } = parts;
  const followChanges = changeFollower({
    log: database.changes,
    openNotices: (onNotice) => database.openChangeNotices({ onNotice, onProblem: onChangesProblem }),
    clock,
    scheduler: nodeScheduler,
    random: secureRandom,
    retentionSeconds: config.CHANGES_RETENTION_SECONDS,
    idleMs: CHANGES_IDLE_MS,
    onProblem: onChangesProblem,
    ...(onChangesPending && { onPending: onChangesPending }),
  });
  return {
    ...shared,
    keys: providerKeys,
    ...otherKeys,
    openPrivateKeys: store.openPrivateKeys,
    changes: changeStreams({ follow: followChanges }),
    followChanges,
    publicKeys: providerKeys.publicJwks,
    publicKeysMaxAgeSeconds: config.KEY_SET_MAX_AGE_SECONDS,
    masterToken: createMasterToken(config.MASTER_TOKEN_SHA256),
    secretOverlapSeconds: config.CLIENT_SECRET_OVERLAP_SECONDS,
    importedSecrets: importedSecrets({
      clients: database.clients,
      digester,
      encryptor,
      clock,
      deadline: { limitMs: SECRET_HASH_DEADLINE_MS, scheduler: nodeScheduler },
    }),
    accessTokens: database.accessTokens,
    revokeOwnToken: (owner, token) => revokeOwnToken(ownTokens, owner, token),
    clientUses,
    // Only callers with the master token get here.
    ...database.actingAs({ actor: 'master', clock }),
    algorithm: config.ACCESS_TOKEN_SIGNING_ALG,
    signingAlgorithms: config.SIGNING_ALGORITHMS,
    accessTokenType: config.ACCESS_TOKEN_TYP,
    endsOfflineAccess: config.LOGOUT_ENDS_OFFLINE_ACCESS_TOKENS,
    tokenLength: config.ACCESS_TOKEN_LENGTH,
    settings: {
      accessTokenLifetimeSeconds: config.ACCESS_TOKEN_LIFETIME_SECONDS,
      idTokenLifetimeSeconds: config.ID_TOKEN_LIFETIME_SECONDS,
      initialAccessTokenLifetimeSeconds: config.INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS,
    },
    provider: providerSettings(config),
    ...(countImports && { countImports }),
    onUnverifiedJwt,
    ...(failedAuthentications && { failedAuthentications }),
    ...(storedRequests && { storedRequests }),
    ...(config.FEDERATION_ENABLED && {
      automatic: automaticClients(config, store, { clock, egress, onProblem, metrics, onRefused }),
    }),
    ...(documents && { documents }),
    takesMetadataDocuments: documents !== undefined,
    logoutPath: config.LOGOUT_PATH,
    isFederationEnabled: config.FEDERATION_ENABLED,
    protectedResources: config.PROTECTED_RESOURCES,
    ...(config.ALLOW_OPEN_REGISTRATION && { openScopes: config.OPEN_REGISTRATION_SCOPES }),
    egress,
    clientCertificate: clientCertificateReader(clientCertificateOptions(config)),
    interaction,
    isProvider: config.OPENID_PROVIDER_ENABLED,
    ...(!config.OPENID_PROVIDER_ENABLED && {
      otherSessionCookie: async () =>
        agreedSessionCookie(await database.runningProcesses.list(nowSeconds(clock)))?.name,
    }),
    hasApiPage: config.API_PAGE_ENABLED,
    hasStartPage: config.API_PAGE_ENABLED && config.DEMO_USERS.size > 0,
    onRefusedClient,
    onProblem,
  };
}

/** Time without changes after which a heartbeat is sent. */
const CHANGES_IDLE_MS = 10_000;

/** Verifying the hash of an imported secret gets a 429 after this time. */
const SECRET_HASH_DEADLINE_MS = 5_000;

/** What the OpenID provider and the logout page must agree on; empty if another server is the provider. */
export function providerAgreement(config: AuthorizationConfig): Pick<AgreedSettings, 'provider'> {
  if (!config.OPENID_PROVIDER_ENABLED) return {};
  const { session: name } = cookieNames(config.BASE_URL);
  const sessionCookie = { name, path: '/', sameSite: 'lax' } as const;
  return { provider: { sessionCookie, logoutPath: config.LOGOUT_PATH, isJoined: false } };
}

function providerSettings(config: AuthorizationConfig): ProviderSettings {
  return {
    accessTokenLifetimeSeconds: config.ACCESS_TOKEN_LIFETIME_SECONDS,
    idTokenLifetimeSeconds: config.ID_TOKEN_LIFETIME_SECONDS,
    refreshTokenLifetimeSeconds: config.REFRESH_TOKEN_LIFETIME_SECONDS,
    sessionLifetimeSeconds: config.SESSION_LIFETIME_SECONDS,
    tokenLength: config.ACCESS_TOKEN_LENGTH,
    resourceTokenFormat: config.RESOURCE_TOKEN_FORMAT,
    resourceDefaultScopes: config.RESOURCE_DEFAULT_SCOPES,
    isResourceRequired: config.RESOURCE_REQUIRED,
    pkceRequired: config.PKCE_REQUIRED,
    assertionMaxLifetimeSeconds: config.ASSERTION_MAX_LIFETIME_SECONDS,
    assertionAudience: config.ASSERTION_AUDIENCE,
  };
}
