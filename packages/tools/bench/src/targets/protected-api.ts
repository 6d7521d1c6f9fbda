import { existsSync } from 'node:fs';
import { rawRequest } from '../load/raw-request.js';
import { APACHE_FILES, startApacheApi } from '../servers/apache-api.js';
import { API_PATH, type IntrospectingLibrary, SUBJECT_HEADER } from '../servers/api-configuration.js';
import { type ChildServerName, startChildServer } from '../servers/child-server.js';
import { NGINX_FILES, startNginxApi } from '../servers/nginx-api.js';
import {
  type RunningAuthorizationServer,
  startAuthorizationServer,
} from '../test-environment/authorization-server.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { IssuedToken } from '../test-environment/issued-token.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { type Exchange, OURS, type Replay, type Target } from '../workloads/workload.js';

/** The requests to an API. */
export interface ApiTokens {
  readonly tokens: readonly IssuedToken[];
  /** A token that was not issued. */
  readonly unknown: string;
  /** A token that was revoked before it expires. */
  readonly revoked: string;
}

/** An API, started beside its authorization server. */
type StartApi = (
  server: RunningAuthorizationServer,
) => Promise<{ readonly pid: number; readonly port: number; stop(): Promise<void> }>;

/** An API that checks the access token of each request. */
export interface ProtectedApi {
  readonly name: string;
  /** Whether it cannot notice that a token was revoked. */
  readonly acceptsRevoked?: boolean;
  readonly start: StartApi;
}

const SAMPLES = 50;
/** The response of every API: some records of an application. */
const BODY = JSON.stringify({
  orders: [1, 2, 3].map((id) => ({ id, item: `item ${id}`, quantity: id, isShipped: true })),
});
/** The lifetime of cached introspection responses in the published samples for nginx. */
const CACHE_SECONDS = 10;

/** An API as a target: its authorization server runs on the core of the load. */
export function protectedApi(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
  { name, acceptsRevoked = false, start }: ProtectedApi,
  { tokens, unknown, revoked }: ApiTokens,
): Target {
  const traffic: Replay = {
    kind: 'replay',
    load: tokens.map(({ token }) => apiRequest(token)),
    warmEach: true,
    samples: tokens.slice(0, SAMPLES).map(acceptedExchange),
    contrasts: (acceptsRevoked ? [unknown] : [unknown, revoked]).map(refusedExchange),
  };
  return {
    name,
    open: async () => {
      await testEnvironment.forget();
      const server = await startAuthorizationServer(
        await fixture.installation(),
        await fixture.resourceServer(),
      );
      try {
        const { pid, port, stop } = await start(server);
        const close = async () => {
          await stop();
          await server.stop();
        };
        return { port, pid, traffic, close };
      } catch (error) {
        await server.stop();
        throw error;
      }
    },
  };
}

/** A request to the API. */
export function apiRequest(token: string): string {
  return rawRequest({ method: 'GET', path: API_PATH, headers: { authorization: `Bearer ${token}` } });
}

function acceptedExchange({ token, subject }: IssuedToken): Exchange {
  return {
    request: apiRequest(token),
    problem: ({ status, body, headers }) => {
      if (status !== 200 || body !== BODY) return 'a live token is refused';
      return headers.get(SUBJECT_HEADER) === subject ? undefined : 'the response is about another token';
    },
  };
}

function refusedExchange(token: string): Exchange {
  return {
    request: apiRequest(token),
    problem: ({ status, headers }) =>
      status === 401 && headers.get('www-authenticate')?.startsWith('Bearer')
        ? undefined
        : 'an invalid token is not refused',
  };
}

/** An API of this package, as a Node process. */
function nodeApi(
  { pinning, nodeOptions }: TestEnvironment,
  program: Extract<ChildServerName, 'express-api' | 'fastify-api'>,
  { name, library }: { readonly name: string; readonly library?: string },
): ProtectedApi {
  return {
    name,
    start: async ({ requirements }) => {
      const configuration = { requirements, body: BODY, ...(library !== undefined && { library }) };
      const options = name === OURS ? nodeOptions : [];
      const { process, port } = await startChildServer(program, configuration, pinning.serverPrefix, options);
      return { pid: process.pid, port, stop: process.stop };
    },
  };
}

/** An API on Fastify with @vestibule/resource-server, which follows the stream of changes. */
export function fastifyApi(testEnvironment: TestEnvironment): ProtectedApi {
  return nodeApi(testEnvironment, 'fastify-api', { name: OURS });
}

/** An API on Fastify that introspects for each request. */
export function askingApi(testEnvironment: TestEnvironment, library: IntrospectingLibrary): ProtectedApi {
  return nodeApi(testEnvironment, 'fastify-api', { name: `${library}, asking each time`, library });
}

/** An API on Express with @vestibule/resource-server, which follows the stream of changes. */
export function expressApi(testEnvironment: TestEnvironment): ProtectedApi {
  return nodeApi(testEnvironment, 'express-api', { name: OURS, library: '@vestibule/resource-server' });
}

/** An API on Express that verifies the signature and the claims of each token. */
export function validatingApi(testEnvironment: TestEnvironment): ProtectedApi {
  const library = 'express-oauth2-jwt-bearer';
  const api = nodeApi(testEnvironment, 'express-api', { name: library, library });
  return { ...api, acceptsRevoked: true };
}

/** APIs of nginx with njs, if it is installed. */
export function nginxApis({ pinning, log }: TestEnvironment): readonly ProtectedApi[] {
  if (!areInstalled(NGINX_FILES, 'nginx with njs', log)) return [];
  const start =
    (cacheSeconds: number): StartApi =>
    ({ requirements }) =>
      startNginxApi({ requirements, body: BODY, cacheSeconds, prefix: pinning.serverPrefix });
  return [
    { name: 'nginx with njs, asking each time', start: start(0) },
    { name: `nginx with njs, cached for ${CACHE_SECONDS} s`, start: start(CACHE_SECONDS) },
  ];
}

/** The API of Apache with mod_auth_openidc, if it is installed. */
export function apacheApis({ pinning, log }: TestEnvironment): readonly ProtectedApi[] {
  if (!areInstalled(APACHE_FILES, 'Apache with mod_auth_openidc', log)) return [];
  const start: StartApi = ({ requirements, metadataUrl }) =>
    startApacheApi({ requirements, metadataUrl, body: BODY, prefix: pinning.serverPrefix });
  return [{ name: 'mod_auth_openidc, cached until the token expires', start }];
}

function areInstalled(files: readonly string[], name: string, log: (sentence: string) => void): boolean {
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) log(`Skipped ${name}: there is no ${missing}.`);
  return missing === undefined;
}
