import {
  countingRegistrations,
  createServiceEgress,
  openAuthorizationServerKeys,
  openServiceStore,
} from '@vestibule/service';
import { federationRegistrationMetrics } from '@vestibule/service/federation';
import { type Application, type BuildContext, lastingFault } from '@vestibule/service/process';
import { buildApp } from './app.js';
import {
  importedTokenCounter,
  pendingChangesGauge,
  refusedClientCounter,
  registerChangeStreams,
  throttledRequestCounter,
  unverifiedRevocationCounter,
  upstreamLoginCounter,
} from './authorization-metrics.js';
import { openChangeWebhook } from './changes/open-change-webhook.js';
import { composeAuthorization, providerAgreement } from './compose.js';
import type { AuthorizationConfig } from './config.js';
import { documentReports } from './document-reports.js';
import { renewDocuments } from './renew-documents.js';
import { upstreamHosts } from './upstream/compose-upstream.js';

/** Builds the service for a process of its own. */
export function build({ settings, logger, metrics, tracer }: BuildContext<AuthorizationConfig>): Application {
  const { store: opened, dependency } = openServiceStore({
    name: 'authorization',
    settings,
    logger,
    metrics,
    tracer,
    signingAlgorithms: settings.SIGNING_ALGORITHMS,
    makesEncryptionKeys: true,
    agreed: { issuer: settings.BASE_URL, ...providerAgreement(settings) },
    cleanUpIntervalSeconds: settings.CLEAN_UP_INTERVAL_SECONDS,
    changeRetentionSeconds: settings.CHANGES_RETENTION_SECONDS,
  });
  const store = countingRegistrations(opened, metrics.registry);
  const countThrottled = throttledRequestCounter(metrics.registry);
  const countRefused = refusedClientCounter(metrics.registry);
  const authorizationServer = openAuthorizationServerKeys({
    settings,
    ours: store.providerKeys,
    logger,
    metrics,
    tracer,
  });
  const deps = composeAuthorization(settings, store, {
    authorizationServerKeys: authorizationServer?.keys,
    egress: createServiceEgress({ settings, metrics, tracer }),
    documentEgress: createServiceEgress({ settings, metrics, tracer }),
    upstreamEgress: createServiceEgress({
      settings: { EGRESS_ALLOW_HOSTS: upstreamHosts(settings) },
      metrics,
      tracer,
    }),
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
  registerChangeStreams(metrics.registry, deps.changes);
  const server = buildApp(deps, {
    logger,
    metrics,
    tracer,
    trustedProxies: settings.TRUSTED_PROXIES,
    pauses: store.clock,
  });
  const webhook = openChangeWebhook({
    config: settings,
    store,
    follow: deps.followChanges,
    logger,
    metrics,
    tracer,
  });
  const renewal = renewDocuments({
    ...deps,
    intervalSeconds: settings.CLEAN_UP_INTERVAL_SECONDS,
  });
  const others = [renewal, webhook, authorizationServer?.dependency].filter((other) => other !== undefined);
  return { server, dependencies: [dependency, ...others] };
}
