import { secureRandom } from '@vestibule/crypto';
import type { Database, Store } from '@vestibule/database';
import type { Egress } from '@vestibule/egress';
import type { UpstreamError, UpstreamProvider } from '@vestibule/service/upstream';
import type { ConsoleConfig } from '../config.js';
import type { ClientOperations } from '../deps.js';
import type { ConsoleRoutesDeps } from '../frame/console-routes-deps.js';
import type { Operator } from '../frame/operator.js';
import type { RefusedAction } from '../frame/required-role.js';
import { consoleSessions } from './console-sessions.js';
import type { ConsoleLimits } from './limits.js';
import { loginAttempts } from './login-attempts.js';
import type { LoginOutcome, LoginRoutesDeps } from './login-routes.js';
import type { LogoutRoutesDeps } from './logout-routes.js';
import { type OwnClientRegistration, ownClientRegistration } from './own-client.js';
import { loginProvider } from './provider.js';
import { sessionCookie } from './session-cookie.js';
import { sessionEnds } from './session-ends.js';

/** Parts that can be given beside the settings and the store. */
export interface LoginParts {
  /** Outgoing requests to the OpenID provider. */
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly limits: ConsoleLimits;
  readonly onLogin: (outcome: LoginOutcome) => void;
  /** Called for each failure of the provider, for the log. */
  readonly onProviderProblem: (error: UpstreamError) => void;
  /** Called if sessions cannot be checked, for the log. */
  readonly onUncheckedSession: (error: unknown) => void;
  /** Called for each request for which a role did not suffice, for the log. */
  readonly onRefused: (refusal: RefusedAction) => void;
}

/** The login of the console. */
export interface ConsoleLogin {
  readonly login: LoginRoutesDeps;
  readonly logout: LogoutRoutesDeps;
  /** What pages and actions need of it. */
  readonly routes: ConsoleRoutesDeps;
  /** Absent if the operator registers the client. */
  readonly ownClient: OwnClientRegistration | undefined;
}

/** Composes login, logout and sessions according to the settings. */
export function composeLogin(
  config: ConsoleConfig,
  store: Store,
  registration: ClientOperations,
  parts: LoginParts,
): ConsoleLogin {
  const { database, encryptor, clock } = store;
  const {
    CONSOLE_URL: origin,
    CONSOLE_CLIENT_ID: clientId,
    CONSOLE_SESSION_SECONDS: sessionSeconds,
  } = config;
  const { limits, onLogin, onProviderProblem, onUncheckedSession, onRefused } = parts;
  const isSecure = origin.startsWith('https:');
  const provider: UpstreamProvider = loginProvider(config, { egress: parts.egress, clock });
  const cookie = sessionCookie({ encryptor, clock, isSecure });
  const ends = sessionEnds({ records: database.providerRecords, clock, clientId, sessionSeconds });
  const sessions = consoleSessions(cookie, ends, onUncheckedSession);
  const ownClient = registersItself(config)
    ? ownClientRegistration(registration, {
        clientId,
        origin,
        scope: config.CONSOLE_SCOPE,
        allowHosts: config.EGRESS_ALLOW_HOSTS,
      })
    : undefined;
  const recorded = programRecord(database, store);
  return {
    ownClient,
    login: {
      provider,
      attempts: loginAttempts({ encryptor, clock, random: secureRandom, isSecure }),
      sessions,
      cookie,
      ends,
      roles: {
        claim: config.CONSOLE_ROLE_CLAIM,
        values: {
          viewer: config.CONSOLE_VIEWER_VALUES,
          operator: config.CONSOLE_OPERATOR_VALUES,
          admin: config.CONSOLE_ADMIN_VALUES,
        },
      },
      sessionSeconds,
      clock,
      random: secureRandom,
      readyClient: async () => ownClient?.ensure(),
      admitLogin: limits.admitLogin,
      recordLogin: (operator) => recorded(operator, 'console.logged_in', { role: operator.role }),
      onLogin,
      onProblem: onProviderProblem,
    },
    logout: {
      provider,
      clientId,
      origin,
      sessions,
      cookie,
      ends,
      replays: database.replays,
      clock,
      onProblem: onProviderProblem,
      recordLogout: (operator) => recorded(operator, 'console.logged_out', {}),
    },
    routes: {
      sessions,
      origin,
      recordRefusal: async (refusal) => {
        await limits.admitRefusal(refusal.operator);
        onRefused(refusal);
        const { operator, method, path, required } = refusal;
        await recorded(operator, 'console.refused', { method, path, required, role: operator.role });
      },
      admitPage: limits.admitPage,
      admitAction: limits.admitAction,
    },
  };
}

/** Whether the console is a client of our store that registers itself. */
function registersItself({ CONSOLE_CLIENT_SECRET, CONSOLE_OPENID_PROVIDER }: ConsoleConfig): boolean {
  return CONSOLE_CLIENT_SECRET === undefined && CONSOLE_OPENID_PROVIDER === undefined;
}

/** Records what a person does in the console, beside changes, which their operations record. */
function programRecord(database: Database, { clock }: Pick<Store, 'clock'>) {
  return async ({ actor }: Operator, action: string, details: Readonly<Record<string, string>>) => {
    await database.actingAs({ actor, clock }).programEvents.record({ action, target: 'console', details });
  };
}
