import { openDatabase } from '@vestibule/database';
import type { Server } from '@vestibule/http';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.js';
import { consoleSessions } from '../../src/login/console-sessions.js';
import { sessionCookie } from '../../src/login/session-cookie.js';
import { allPages } from '../../src/pages/all-pages.js';
import type { TestConsole } from './build-test-console.js';

/**
 * The same console at another origin, which finds sessions, but whose database cannot be reached for clients and tokens. It
 * is in no federation.
 */
export function consoleWithoutDatabase(built: TestConsole, origin: string): Server {
  // No server listens on this port.
  const gone = openDatabase({ url: 'postgresql://127.0.0.1:1/none' });
  onTestFinished(() => gone.close());
  const { store, clock, streams, deps, ends, problems } = built;
  const { accessTokens, revocations, clients } = gone;
  const cookie = sessionCookie({ encryptor: store.encryptor, clock, isSecure: origin.startsWith('https:') });
  const pages = allPages({
    ...deps,
    registration: { ...deps.registration, clients },
    introspection: { ...deps.introspection, accessTokens, revocations },
    federation: undefined,
  });
  const frame = {
    sessions: consoleSessions(cookie, ends, (error) => problems.push(error)),
    liveStreams: streams,
    origin,
    recordRefusal: async () => undefined,
    admitPage: async () => undefined,
    admitAction: async () => undefined,
  };
  return buildApp(frame, pages, { logger: false });
}
