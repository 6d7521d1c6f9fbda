import { operatorActor } from '@vestibule/clients';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore } from '@vestibule/database';
import { composeFederation } from '@vestibule/federation-service';
import { loadFederationConfig } from '@vestibule/federation-service/config';
import { composeIntrospection, loadIntrospectionConfig } from '@vestibule/introspection';
import { nowSeconds } from '@vestibule/protocol';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { type FrozenClock, frozenClock } from '@vestibule/protocol/testing';
import { composeRegistration, loadRegistrationConfig } from '@vestibule/registration';
import type { Environment } from '@vestibule/service/settings';
import { createTestInstallation } from '@vestibule/testkit';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.js';
import type { ConsoleDeps } from '../../src/deps.js';
import type { Figures } from '../../src/figures/figures.js';
import { overviewFigures } from '../../src/figures/overview-figures.js';
import type { Operator, Role } from '../../src/frame/operator.js';
import type { RefusedAction } from '../../src/frame/required-role.js';
import { liveFigures } from '../../src/live/live-figures.js';
import { liveStreams } from '../../src/live/live-streams.js';
import { consoleSessions } from '../../src/login/console-sessions.js';
import { consoleLimits } from '../../src/login/limits.js';
import { sessionCookie } from '../../src/login/session-cookie.js';
import { sessionEnds } from '../../src/login/session-ends.js';
import { allPages } from '../../src/pages/all-pages.js';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example';

/** The origin of the console in tests. */
export const ORIGIN = 'https://console.example';

/** The form token of the sessions of the tests. */
export const FORM_TOKEN = 'form-token-of-the-test';

const SESSION_SECONDS = 3_600;

/** A console over a database of its own, composed as in production, with a frozen clock and encrypted sessions. */
export type TestConsole = Awaited<ReturnType<typeof buildTestConsole>>;

/** Parts of a console that a test provides. */
export interface TestConsoleParts {
  /** The origin of the console. Default: an https origin. */
  readonly origin?: string;
  /** Default: in the middle of 2026. */
  readonly clock?: FrozenClock;
  /** Default: none. */
  readonly figures?: Figures;
  /** Whether rate limits are on. Default false. */
  readonly hasRateLimits?: boolean;
  /** Whether the clock is also that of the store, which follows the database otherwise. Default false. */
  readonly isStoreFrozen?: boolean;
}

/** Builds a console for one test. Requests are made as a person with a role; its cookie is encrypted as at a login. */
export async function buildTestConsole(settings: Environment = {}, parts: TestConsoleParts = {}) {
  const { origin = ORIGIN, clock = frozenClock(), figures } = parts;
  const { hasRateLimits = false, isStoreFrozen = false } = parts;
  const { url, encryptionKeys, drop } = await createTestInstallation({ signingAlgorithms: ['ES256'] });
  onTestFinished(drop);
  const environment: Environment = {
    BASE_URL: ISSUER,
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKeys,
    MASTER_TOKEN_SHA256: '0'.repeat(64),
    ...settings,
  };
  const keyEncryptionKeys = parseKeyEncryptionKeys(encryptionKeys);
  const opened = openStore({
    connection: { url, poolSize: 10 },
    keyEncryptionKeys,
    clock,
    random: secureRandom,
    signingAlgorithms: ['ES256'],
    onProblem: (error) => {
      throw error;
    },
  });
  onTestFinished(() => opened.close());
  await opened.opened;
  const store = isStoreFrozen ? { ...opened, clock: { ...opened.clock, nowMs: clock.nowMs } } : opened;
  const { limits: _, ...registration } = composeRegistration(loadRegistrationConfig(environment), store);
  const { federation } = composeFederation(loadFederationConfig(environment), store, {
    clock,
    providerMetadata: async () => ({ issuer: ISSUER, jwks_uri: `${ISSUER}/jwks.json` }),
  });
  const overview = overviewFigures({ activity: store.database.activity, clock: store.clock, figures });
  const introspection = composeIntrospection(loadIntrospectionConfig(environment), store);
  const keyCopySeconds = { provider: 300, federation: 604_800 };
  const limits = consoleLimits(tokenBuckets({ clock }), hasRateLimits);
  const deps: ConsoleDeps = {
    store,
    issuer: ISSUER,
    registration,
    loginClient: {
      clientId: 'vestibule-console',
      scope: 'openid profile',
    },
    initialTokens: { tokenLength: 43, algorithm: 'ES256', lifetimeSeconds: 86_400 },
    keyEncryptionKeys,
    introspection,
    keyCopySeconds,
    federation,
    admitExport: limits.admitExport,
    overview,
  };
  const cookie = sessionCookie({ encryptor: store.encryptor, clock, isSecure: origin.startsWith('https:') });
  const ends = sessionEnds({
    records: store.database.providerRecords,
    clock,
    clientId: 'vestibule-console',
    sessionSeconds: SESSION_SECONDS,
  });
  const refused: RefusedAction[] = [];
  const problems: unknown[] = [];
  const sessions = consoleSessions(cookie, ends, (error) => problems.push(error));
  let figureReads = 0;
  const streams = liveStreams({
    sessions,
    admit: limits.admitPage,
    read: () => {
      figureReads += 1;
      return liveFigures(overview);
    },
    scheduler: nodeScheduler,
    onProblem: (error) => problems.push(error),
    intervalMs: 50,
    maxStreams: 4,
    maxStreamsOfPerson: 3,
  });
  const app = buildApp(
    {
      sessions,
      liveStreams: streams,
      origin,
      recordRefusal: async (refusal) => {
        refused.push(refusal);
      },
      admitPage: limits.admitPage,
      admitAction: limits.admitAction,
    },
    allPages(deps),
    { logger: false },
  );
  onTestFinished(() => app.close());
  await app.ready();

  const cookieOf = async (role: Role) =>
    (
      await cookie.set({
        id: `session-of-${role}`,
        operator: person(role),
        formToken: FORM_TOKEN,
        issuer: ISSUER,
        isStored: false,
        loggedInAtMs: clock.nowMs(),
        expiresAt: nowSeconds(clock) + SESSION_SECONDS,
      })
    ).split(';')[0] ?? '';

  return {
    app,
    deps,
    store,
    clock,
    databaseUrl: url,
    /** Which sessions have ended. */
    ends,
    /** The streams of live figures: at most four, three of a person, with figures every 50 ms. */
    streams,
    /** How often the streams have read figures. */
    figureReads: () => figureReads,
    /** What the streams could not read, and why sessions could not be checked. */
    problems,
    /** The requests that were refused for their role. */
    refused,
    cookieOf,
    /** Shows a page to a person with a role; default viewer. */
    get: async (url: string, role: Role = 'viewer') =>
      responseOf(await app.inject({ method: 'GET', url, headers: { cookie: await cookieOf(role) } })),
    /** Sends a form of this session as a browser does; default admin. */
    post: async (url: string, form: Readonly<Record<string, string>> = {}, role: Role = 'admin') =>
      responseOf(
        await app.inject({
          method: 'POST',
          url,
          headers: {
            cookie: await cookieOf(role),
            origin,
            'sec-fetch-site': 'same-origin',
            'content-type': 'application/x-www-form-urlencoded',
          },
          payload: new URLSearchParams({ form_token: FORM_TOKEN, ...form }).toString(),
        }),
      ),
  };
}

/** A response as tests look at it. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function responseOf({
  statusCode: status,
  headers,
  payload: text,
}: {
  readonly statusCode: number;
  readonly headers: object;
  readonly payload: string;
}): TestResponse {
  return { status, headers: { ...headers }, text };
}

function person(role: Role): Operator {
  return { subject: `${role}-subject`, name: `A ${role}`, role, actor: operatorActor(`a-${role}`) };
}
