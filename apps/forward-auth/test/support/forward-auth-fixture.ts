import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@vestibule/http/observability';
import { committedDocument, requireDocumented, type Seen, seenResponse } from '@vestibule/http/testing';
import { frozenClock } from '@vestibule/protocol/testing';
import type { Problem } from '@vestibule/resource-server';
import { noteSecret } from '@vestibule/testkit';
import { onTestFinished } from 'vitest';
import { buildApp, composeForwardAuth, loadForwardAuthConfig } from '../../src/index.js';
import { type IntrospectionEndpoint, SECRET, startIntrospectionEndpoint } from './introspection-endpoint.js';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example';

/** Identifier of the API of the tests. */
export const API = 'https://api.example';

/** The time of the frozen clock, in seconds. */
export const NOW = Date.UTC(2026, 5, 1, 12) / 1000;

/** The committed API document. */
export const API_DOCUMENT = committedDocument(new URL('../../openapi.json', import.meta.url));

/** The resources of most tests. */
export const RESOURCES = [
  {
    identifier: API,
    routes: [
      { path: '/health', methods: ['GET'], access: 'public' },
      { path: '/orders/*', methods: ['GET', 'POST'], scope: 'orders:read' },
      { path: '/profile', scope: '' },
    ],
  },
];

/** Deviations of a test. */
export interface FixtureOptions {
  readonly resources?: readonly object[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger?: Logger | false;
}

/** A request of a client, as a gateway describes it. */
export interface ClientRequest {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes a routes file for one test. */
export function aRoutesFile(resources: readonly object[] = RESOURCES): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-routes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'routes.json');
  writeFileSync(path, JSON.stringify({ resources }));
  return path;
}

/** Settings with which requests are introspected at an endpoint of the test. */
export function settingsFor(
  endpoint: Pick<IntrospectionEndpoint, 'url'>,
  { resources, settings }: FixtureOptions = {},
): Readonly<Record<string, string>> {
  return {
    BASE_URL: ISSUER,
    ROUTES_FILE: aRoutesFile(resources),
    INTROSPECTION_CLIENT_ID: 'gateway',
    INTROSPECTION_CLIENT_SECRET: SECRET,
    INTROSPECTION_ENDPOINT: endpoint.url,
    // A busy machine responds late.
    INTROSPECTION_TIMEOUT_MS: '20000',
    TOKEN_CHANGES_FOLLOWED: 'false',
    ...settings,
  };
}

/** Starts the service and an introspection endpoint for one test, with a frozen clock. */
export async function aForwardAuth(options: FixtureOptions = {}) {
  noteSecret('client_secret', SECRET);
  const endpoint = await startIntrospectionEndpoint();
  const clock = frozenClock();
  const problems: Problem[] = [];
  const misconfigurations: string[] = [];
  const errors: unknown[] = [];
  const forwardAuth = composeForwardAuth(loadForwardAuthConfig(settingsFor(endpoint, options)), {
    clock,
    onProblem: (problem) => problems.push(problem),
    onMisconfiguredGateway: (problem) => misconfigurations.push(problem),
    onError: (error) => errors.push(error),
  });
  const app = buildApp(forwardAuth.deps, { logger: options.logger ?? false });
  onTestFinished(async () => {
    await app.close();
    forwardAuth.close();
  });
  let count = 0;
  /** Adds an active token for the API. */
  const issue = (members: object = {}): string => {
    count += 1;
    const token = `u7KcX1bWf0Qm4vT8yLx2q4uPexR2mC5sYw7aHd1fG${count}`;
    noteSecret('access_token', token);
    endpoint.tokens.set(token, { sub: 'ada', client_id: 'app', scope: 'orders:read', aud: API, ...members });
    return token;
  };
  /** Asks about `GET /orders` or the like, as Traefik and Caddy do. */
  const check = async (target: string, request: ClientRequest = {}): Promise<Seen> => {
    const [method = '', uri = ''] = target.split(' ');
    const headers = forwarded(method, uri, request);
    const seen = await seenResponse(app, { method: 'GET', url: '/check', headers });
    requireDocumented(API_DOCUMENT, { method: 'GET', url: '/check', ...documentable(seen) });
    return seen;
  };
  return { app, endpoint, clock, problems, misconfigurations, errors, forwardAuth, issue, check };
}

/** A challenge without an error has no body (RFC 6750 section 3.1), which the API document cannot say. */
function documentable(seen: Seen): Seen {
  if (seen.status !== 401 || seen.body !== '') return seen;
  const headers = { ...seen.headers, 'content-type': 'application/json' };
  return { ...seen, headers, body: '{"error":"invalid_token","error_description":"…"}' };
}

/** The headers of a gateway. */
export function forwarded(
  method: string,
  uri: string,
  { host = 'api.example', headers = {} }: ClientRequest = {},
): Readonly<Record<string, string>> {
  return {
    'x-forwarded-method': method,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': host,
    'x-forwarded-uri': uri,
    ...headers,
  };
}

/** A request with a bearer token. */
export function bearer(token: string): ClientRequest {
  return { headers: { authorization: `Bearer ${token}` } };
}
