import type { OtherServerKeys } from '@vestibule/crypto/signing-keys';
import type { Store } from '@vestibule/database';
import type { Server } from '@vestibule/http';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { openRateLimits } from '@vestibule/registration';
import { createServiceEgress, openAuthorizationServerKeys, openServiceStore } from '@vestibule/service';
import {
  type Application,
  type BuildContext,
  type Dependency,
  lastingFault,
} from '@vestibule/service/process';
import { buildApp } from './app.js';
import { composeConsole } from './compose.js';
import type { ConsoleConfig } from './config.js';
import { loginCounter } from './console-metrics.js';
import { openFigures } from './figures/open-figures.js';
import { liveFigures } from './live/live-figures.js';
import { liveStreams } from './live/live-streams.js';
import { composeLogin } from './login/compose-login.js';
import { consoleLimits } from './login/limits.js';
import { loginRoutes } from './login/login-routes.js';
import { logoutRoutes } from './login/logout-routes.js';
import type { OwnClientRegistration } from './login/own-client.js';
import { providerHosts } from './login/provider.js';
import { allPages } from './pages/all-pages.js';

/** Builds the console for a process of its own. */
export function build(context: BuildContext<ConsoleConfig>): Application {
  const { settings, logger, metrics, tracer } = context;
  const { store, dependency } = openServiceStore({
    name: 'console',
    settings,
    logger,
    metrics,
    tracer,
    agreed: { issuer: settings.BASE_URL },
  });
  const rateLimits = openRateLimits({ config: settings.registration, logger, metrics, tracer });
  const authorizationServer = openAuthorizationServerKeys({
    settings,
    ours: store.providerKeys,
    logger,
    metrics,
    tracer,
  });
  const { server, ownClient } = buildConsole(context, store, {
    rateLimits: rateLimits.store,
    authorizationServerKeys: authorizationServer?.keys,
  });
  return {
    server,
    dependencies: [
      dependency,
      ...rateLimits.dependencies,
      ...(authorizationServer ? [authorizationServer.dependency] : []),
      ...(ownClient ? [clientDependency(ownClient)] : []),
    ],
  };
}

/** A console that does not listen yet. */
export interface BuiltConsole {
  readonly server: Server;
  /** The registration of its client, which happens at the first login at the latest; absent if an operator does it. */
  readonly ownClient: OwnClientRegistration | undefined;
}

/** What the console may share with other services of its process. */
export interface SharedParts {
  readonly rateLimits: RateLimitStore;
  /** Keys of the operator's authorization server. Default: none. */
  readonly authorizationServerKeys?: OtherServerKeys | undefined;
  /** Whether the introspection service counts in the same registry. Default false. */
  readonly countsIntrospections?: boolean;
}

/** Builds the console over a store and parts that other services of this process may share. */
export function buildConsole(
  { settings, logger, metrics, tracer }: Omit<BuildContext<ConsoleConfig>, 'own' | 'ownServer'>,
  store: Store,
  { rateLimits, authorizationServerKeys, countsIntrospections = false }: SharedParts,
): BuiltConsole {
  const onFiguresProblem = lastingFault({ logger, dependency: 'store', sentence: 'figures cannot be read' });
  const { figures, stop } = openFigures({
    prometheusUrl: settings.CONSOLE_PROMETHEUS_URL,
    own: countsIntrospections
      ? {
          registry: metrics.registry,
          clock: store.clock,
          scheduler: nodeScheduler,
          onProblem: onFiguresProblem,
        }
      : undefined,
  });
  const egressFor = (allowed: readonly string[]) =>
    createServiceEgress({ settings: { EGRESS_ALLOW_HOSTS: allowed }, metrics, tracer });
  const limits = consoleLimits(rateLimits, settings.RATE_LIMITS_ENABLED);
  const deps = composeConsole(settings, store, {
    egress: egressFor(settings.EGRESS_ALLOW_HOSTS),
    authorizationServerKeys,
    federationEgress: egressFor(settings.EGRESS_ALLOW_HOSTS),
    figures,
    admitExport: limits.admitExport,
    onFederationProblem: (error) => logger.warn({ error }, 'problem with the federation'),
  });
  const login = composeLogin(settings, store, deps.registration, {
    egress: egressFor(providerHosts(settings)),
    limits,
    onLogin: loginCounter(metrics.registry),
    onProviderProblem: ({ reason, code }) => logger.warn({ reason, code }, 'the OpenID provider failed'),
    onUncheckedSession: lastingFault({ logger, dependency: 'store', sentence: 'sessions cannot be checked' }),
    onRefused: ({ method, path, required }) =>
      logger.info({ method, route: path, reason: required }, 'refused: the role does not suffice'),
  });
  const streams = liveStreams({
    sessions: login.routes.sessions,
    admit: limits.admitPage,
    read: () => liveFigures(deps.overview),
    scheduler: nodeScheduler,
    onProblem: onFiguresProblem,
  });
  const server = buildApp({ ...login.routes, liveStreams: streams }, allPages(deps), {
    logger,
    metrics,
    tracer,
    trustedProxies: settings.TRUSTED_PROXIES,
    pauses: store.clock,
  });
  server.addHook('onClose', async () => stop());
  server.register(loginRoutes(login.login));
  server.register(logoutRoutes(login.logout));
  return { server, ownClient: login.ownClient };
}

/** The client registers itself when readiness is first checked: without it no login is possible. */
function clientDependency({ ensure, problem }: OwnClientRegistration): Dependency {
  return { name: 'console_client', check: ensure, problem, close: async () => undefined };
}
