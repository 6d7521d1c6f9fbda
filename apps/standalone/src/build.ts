import {
  authorizationRoutes,
  composeAuthorization,
  discoveryDocument,
  documentReports,
  importedTokenCounter,
  openChangeWebhook,
  pendingChangesGauge,
  providerAgreement,
  refusedClientCounter,
  registerChangeStreams,
  renewDocuments,
  throttledRequestCounter,
  unverifiedRevocationCounter,
  upstreamHosts,
  upstreamLoginCounter,
} from '@vestibule/authorization';
import { KeyEncryptionError } from '@vestibule/crypto/data-keys';
import type { Store } from '@vestibule/database';
import {
  composeFederation,
  federationAlgorithms,
  federationRoutes,
  federationWarnings,
} from '@vestibule/federation-service';
import { createServer } from '@vestibule/http';
import { composeIntrospection, introspectionRoutes, openIntrospectionCache } from '@vestibule/introspection';
import {
  composeDeliveryRoutes,
  composeLogout,
  deliveryRoutes,
  logoutAgreement,
  logoutRoutes,
  openDeliveries,
} from '@vestibule/logout-service';
import {
  composeRegistration,
  openRateLimits,
  refusedCredentialCounter,
  refusedRegistrationCounter,
  registrationRoutes,
} from '@vestibule/registration';
import {
  countingRegistrations,
  createServiceEgress,
  openAuthorizationServerKeys,
  openServiceStore,
} from '@vestibule/service';
import { federationRegistrationMetrics } from '@vestibule/service/federation';
import { type Application, type BuildContext, lastingFault } from '@vestibule/service/process';
import { Secret, StartError } from '@vestibule/service/settings';
import type { StandaloneConfig } from './config.js';
import { type ConsoleState, openConsole } from './console.js';
import { openForwardAuth } from './forward-auth.js';
import { recordDatabase } from './local-address.js';
import { openLocalDatabase } from './local-database.js';
import { openLocalRedis } from './local-redis.js';
import { settleChanges } from './settle-changes.js';

/**
 * Builds every service into one server over one store. The database is migrated when it returns.
 * @param onConsole called with the state of the console
 * @throws StartError if there is no database, or its keys are not ours
 */
export async function build(
  context: BuildContext<StandaloneConfig>,
  onConsole: (state: ConsoleState) => void = () => undefined,
): Promise<Application> {
  const { settings, logger, metrics, tracer, own } = context;
  for (const warning of federationWarnings(settings.federation)) logger.warn(warning);
  const { folder } = settings.secrets;
  const url = await openLocalDatabase({ folder, url: settings.DATABASE_URL?.reveal(), own });
  recordDatabase(folder, settings.DATABASE_URL === undefined ? url : undefined);
  const { store: opened, dependency } = openServiceStore({
    name: 'standalone',
    settings: { ...settings.store, DATABASE_URL: new Secret(url) },
    logger,
    metrics,
    tracer,
    signingAlgorithms: settings.authorization.SIGNING_ALGORITHMS,
    makesEncryptionKeys: true,
    agreed: {
      issuer: settings.authorization.BASE_URL,
      ...providerAgreement(settings.authorization),
      logout: logoutAgreement(settings.logout),
    },
    federationAlgorithms: federationAlgorithms(settings.federation),
    cleanUpIntervalSeconds: settings.authorization.CLEAN_UP_INTERVAL_SECONDS,
    changeRetentionSeconds: settings.authorization.CHANGES_RETENTION_SECONDS,
  });
  own(dependency);
  const store = countingRegistrations(opened, metrics.registry);
  await untilOpen(store, settings.secrets.keysFile);
  // One for each service, so that none waits for the outgoing requests of another.
  const egressFor = (own: { readonly EGRESS_ALLOW_HOSTS: readonly string[] }) =>
    createServiceEgress({ settings: own, metrics, tracer });
  const server = createServer({
    logger,
    metrics,
    tracer,
    trustedProxies: settings.TRUSTED_PROXIES,
    pauses: store.clock,
  });
  const redis = await openLocalRedis({ url: settings.introspection.REDIS_URL, logger, own });
  const shared = redis && { REDIS_URL: redis };
  const authorizationServer = openAuthorizationServerKeys({
    settings: settings.introspection,
    ours: store.providerKeys,
    logger,
    metrics,
    tracer,
  });
  if (authorizationServer !== undefined) own(authorizationServer.dependency);
  const authorizationServerKeys = authorizationServer?.keys;
  const cache = openIntrospectionCache({
    config: { ...settings.introspection, ...shared },
    store,
    authorizationServerKeys,
    logger,
    metrics,
    tracer,
  });
  cache.dependencies.forEach(own);
  settleChanges(server, cache.states);
  const rateLimits = openRateLimits({
    config: { ...settings.registration, ...shared },
    logger,
    metrics,
    tracer,
  });
  rateLimits.dependencies.forEach(own);
  const countRefusedCredential = refusedCredentialCounter(metrics.registry);
  const registration = composeRegistration(settings.registration, store, {
    rateLimits: rateLimits.store,
    egress: egressFor(settings.registration),
    onRefusedRegistration: refusedRegistrationCounter(metrics.registry),
    onRefusedCredential: (refused) => {
      countRefusedCredential(refused.reason);
      logger.info(refused, 'client credential not valid');
    },
  });
  server.register(registrationRoutes, registration);
  const introspection = composeIntrospection(settings.introspection, store, cache, {
    authorizationServerKeys,
    registry: metrics.registry,
    egress: egressFor(settings.introspection),
  });
  server.register(introspectionRoutes, introspection);
  const countThrottled = throttledRequestCounter(metrics.registry);
  const countRefused = refusedClientCounter(metrics.registry);
  const authorization = composeAuthorization(settings.authorization, store, {
    authorizationServerKeys,
    egress: egressFor(settings.authorization),
    documentEgress: egressFor(settings.authorization),
    upstreamEgress: egressFor({ EGRESS_ALLOW_HOSTS: upstreamHosts(settings.authorization) }),
    onUpstreamLogin: upstreamLoginCounter(metrics.registry),
    onUpstreamProblem: ({ reason, code }) =>
      logger.warn({ reason, code }, 'login at the other provider failed'),
    onProblem: (error) => logger.error({ error }, 'internal error in the authorization endpoints'),
    metrics: federationRegistrationMetrics(metrics.registry),
    onRefused: (refusal) => logger.info(refusal, 'automatic registration refused'),
    documentReports: documentReports(metrics.registry, logger),
    onThrottled: (throttled) => {
      countThrottled(throttled);
      logger.info(throttled, 'authorization request throttled');
    },
    countImports: importedTokenCounter(metrics.registry),
    onUnverifiedJwt: unverifiedRevocationCounter(metrics.registry, logger),
    onChangesProblem: lastingFault({
      logger,
      dependency: 'store',
      sentence: 'changes cannot be read',
    }),
    onChangesPending: pendingChangesGauge(metrics.registry, store.clock),
    onRefusedClient: (refused) => {
      countRefused(refused);
      logger.info(refused, 'client not authenticated');
    },
  });
  registerChangeStreams(metrics.registry, authorization.changes);
  const webhook = openChangeWebhook({
    config: settings.authorization,
    store,
    follow: authorization.followChanges,
    logger,
    metrics,
    tracer,
  });
  if (webhook !== undefined) own(webhook);
  const renewal = renewDocuments({
    ...authorization,
    intervalSeconds: settings.authorization.CLEAN_UP_INTERVAL_SECONDS,
  });
  if (renewal !== undefined) own(renewal);
  server.register(authorizationRoutes, authorization);
  const federation = composeFederation(settings.federation, store, {
    egress: egressFor(settings.federation),
    metrics: federationRegistrationMetrics(metrics.registry),
    onProblem: (error) => logger.warn({ error }, 'problem with the federation'),
    ...(settings.authorization.OPENID_PROVIDER_ENABLED && {
      providerMetadata: async () => discoveryDocument(authorization),
    }),
  });
  server.register(federationRoutes, federation);
  server.register(
    logoutRoutes,
    composeLogout(settings.logout, store, {
      authorizationServerKeys,
      onRedirectRefused: (refusal) => logger.info(refusal, 'post_logout_redirect_uri refused'),
    }),
  );
  server.register(deliveryRoutes, composeDeliveryRoutes(settings.logout, store));
  own(openDeliveries({ config: settings.logout, store, logger, metrics, tracer }));
  await openForwardAuth(context, registration);
  const shownByConsole = {
    store,
    rateLimits: rateLimits.store,
    cache: cache.states,
    authorizationServerKeys,
  };
  onConsole(await openConsole(context, shownByConsole));
  return { server, dependencies: [] };
}

async function untilOpen({ opened }: Store, keysFile: string | undefined): Promise<void> {
  try {
    await opened;
  } catch (error) {
    if (!(error instanceof KeyEncryptionError)) throw error;
    const keys = keysFile === undefined ? 'ENCRYPTION_KEYS does' : `The keys in ${keysFile} do`;
    throw new StartError(`${keys} not open this database: it was created with other keys.`, { cause: error });
  }
}
