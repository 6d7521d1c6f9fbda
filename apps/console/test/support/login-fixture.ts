import { authorizationRoutes, composeAuthorization, loadAuthorizationConfig } from '@vestibule/authorization';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore, type Store } from '@vestibule/database';
import { createServer, type Server } from '@vestibule/http';
import { createLogger, createMetrics } from '@vestibule/http/observability';
import { freePort } from '@vestibule/local-services';
import { composeLogout, loadLogoutConfig, logoutRoutes } from '@vestibule/logout-service';
import { type ClientId, type Issuer, systemClock } from '@vestibule/protocol';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import type { Environment } from '@vestibule/service/settings';
import { createTestInstallation } from '@vestibule/testkit';
import { issueLogoutToken, type LogoutTokenGrant } from '@vestibule/tokens/issuing';
import { onTestFinished } from 'vitest';
import { buildConsole } from '../../src/build.js';
import { loadConsoleConfig } from '../../src/config.js';
import { type Browser, openBrowser, type Page } from './browser.js';

/** The client of the console. */
export const CLIENT_ID = 'vestibule-console' as ClientId;

/** Roles of the demonstration users of the authorization server. */
const ROLES: Environment = {
  CONSOLE_ROLE_CLAIM: 'sub',
  CONSOLE_ADMIN_VALUES: 'alice',
  CONSOLE_VIEWER_VALUES: 'nobody',
};

/** A console at a port, with the store that only this instance uses. */
export interface ConsoleInstance {
  readonly server: Server;
  readonly store: Store;
  /** The log lines. */
  readonly log: () => string;
}

/** An authorization server and a console that listen on loopback ports, over one database. */
export type LoginStack = Awaited<ReturnType<typeof startLoginStack>>;

/** Starts both as in production, until the test ends. */
export async function startLoginStack(settings: Environment = {}) {
  const database = await createTestInstallation({ signingAlgorithms: ['ES256', 'RS256'] });
  onTestFinished(() => database.drop());
  const issuer = `http://localhost:${await freePort()}` as Issuer;
  const origin = `http://localhost:${await freePort()}`;
  const environment: Environment = {
    BASE_URL: issuer,
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: database.encryptionKeys,
    MASTER_TOKEN_SHA256: '0'.repeat(64),
    SIGNING_ALGORITHMS: 'ES256,RS256',
    ACCESS_TOKEN_SIGNING_ALG: 'ES256',
    CONSOLE_URL: origin,
    ...ROLES,
    ...settings,
  };
  const provider = await startProvider(environment, issuer);
  const first = await startInstance(environment, origin);
  /** Begins a login and logs in at the provider; returns the address of the console that the browser is sent to. */
  const atProvider = async (browser: Browser, page: Page, person = 'alice'): Promise<Page> => {
    let shown = await browser.follow(page, issuer);
    for (let step = 0; step < 3 && shown.status === 200; step += 1) {
      const form = shown.text.includes('name="password"')
        ? { decision: 'login', username: person, password: person }
        : { decision: 'consent' };
      shown = await browser.follow(await browser.go(shown.url, form), issuer);
    }
    return shown;
  };
  return {
    issuer,
    origin,
    environment,
    databaseUrl: database.url,
    provider,
    console: first,
    atProvider,
    /** The whole login in a browser, to the page that it leads to. */
    logIn: async (browser: Browser, { person = 'alice', to = '/keys' } = {}): Promise<Page> => {
      const begun = await browser.go(`${origin}/login?${new URLSearchParams({ to })}`);
      return browser.go((await atProvider(browser, begun, person)).location ?? '');
    },
    /** Starts another instance of the console, at an address of its own. */
    anotherInstance: async (own: Environment = {}) => {
      const other = `http://localhost:${await freePort()}`;
      return { origin: other, ...(await startInstance({ ...environment, ...own }, other)) };
    },
    logoutToken: (grant: Partial<LogoutTokenGrant>) =>
      issueLogoutToken(
        { clock: systemClock, issuer, random: secureRandom, keys: provider.store.providerKeys },
        { clientId: CLIENT_ID, algorithm: 'RS256', ...grant },
      ),
  };
}

/** A page of the console as a person who is logged in sees it, or the redirect to the login. */
export function shownAs(page: Page): 'page' | 'login' {
  return page.location?.includes('/login') === true ? 'login' : 'page';
}

/** A new browser. */
export const aBrowser = openBrowser;

async function openTestStore(environment: Environment): Promise<Store> {
  const store = openStore({
    connection: { url: environment['DATABASE_URL'] ?? '', poolSize: 5 },
    keyEncryptionKeys: parseKeyEncryptionKeys(environment['ENCRYPTION_KEYS'] ?? ''),
    clock: systemClock,
    random: secureRandom,
    signingAlgorithms: ['ES256', 'RS256'],
    onProblem: () => undefined,
  });
  onTestFinished(() => store.close());
  await store.opened;
  return store;
}

async function startProvider(environment: Environment, issuer: Issuer) {
  const store = await openTestStore(environment);
  const server = createServer({ logger: false });
  const failures: unknown[] = [];
  server.register(
    authorizationRoutes,
    composeAuthorization(loadAuthorizationConfig(environment), store, {
      onProblem: (error) => failures.push(error),
    }),
  );
  server.register(logoutRoutes, composeLogout(loadLogoutConfig(environment), store));
  await server.listen({ host: '127.0.0.1', port: Number(new URL(issuer).port) });
  onTestFinished(() => server.close());
  return { server, store, failures };
}

async function startInstance(environment: Environment, origin: string): Promise<ConsoleInstance> {
  const store = await openTestStore(environment);
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const { server } = buildConsole(
    {
      settings: loadConsoleConfig(environment),
      logger: createLogger({ level: 'trace', service: 'console', destination }),
      metrics: createMetrics('console'),
      tracer: undefined,
    },
    store,
    { rateLimits: tokenBuckets({ clock: systemClock }) },
  );
  await server.listen({ host: '127.0.0.1', port: Number(new URL(origin).port) });
  onTestFinished(() => server.close());
  return { server, store, log: () => lines.join('') };
}
