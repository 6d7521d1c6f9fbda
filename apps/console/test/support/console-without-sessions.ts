import { openDatabase } from '@vestibule/database';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.js';
import { liveStreams } from '../../src/live/live-streams.js';
import { consoleSessions } from '../../src/login/console-sessions.js';
import { sessionCookie } from '../../src/login/session-cookie.js';
import { sessionEnds } from '../../src/login/session-ends.js';
import { allPages } from '../../src/pages/all-pages.js';
import { buildTestConsole, ORIGIN } from './build-test-console.js';

/** A console whose database cannot be reached when it looks for sessions, and the cookie of an admin. */
export async function consoleWithoutSessions() {
  const built = await buildTestConsole();
  // No server listens on this port.
  const gone = openDatabase({ url: 'postgresql://127.0.0.1:1/none' });
  onTestFinished(() => gone.close());
  const { store, clock } = built;
  const ends = sessionEnds({
    records: gone.providerRecords,
    clock,
    clientId: 'vestibule-console',
    sessionSeconds: 600,
  });
  const cookie = sessionCookie({ encryptor: store.encryptor, clock, isSecure: true });
  const sessions = consoleSessions(cookie, ends, () => undefined);
  const deps = {
    sessions,
    liveStreams: liveStreams({
      sessions,
      admit: async () => undefined,
      read: async () => ({}),
      scheduler: nodeScheduler,
      onProblem: () => undefined,
    }),
    origin: ORIGIN,
    recordRefusal: async () => undefined,
    admitPage: async () => undefined,
    admitAction: async () => undefined,
  };
  const app = buildApp(deps, allPages(built.deps), { logger: false });
  onTestFinished(() => app.close());
  return { app, cookie: await built.cookieOf('admin') };
}
