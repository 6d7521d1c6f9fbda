import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawRequest } from '../load/raw-request.js';
import type { TokenRequirements } from '../servers/api-configuration.js';
import { startService } from '../servers/service.js';
import { startAuthorizationServer } from '../test-environment/authorization-server.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { IssuedToken } from '../test-environment/issued-token.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { type Exchange, OURS, type Replay, type Target } from '../workloads/workload.js';
import type { ApiTokens } from './protected-api.js';

const HOST = 'orders.example';
const SAMPLES = 50;

/** The forward authentication service. The introspection service runs on the core of the load. */
export function forwardAuthService(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
  { tokens, unknown, revoked }: ApiTokens,
): Target {
  const traffic: Replay = {
    kind: 'replay',
    load: tokens.map(({ token }) => checkRequest(token)),
    warmEach: true,
    samples: tokens.slice(0, SAMPLES).map(allowedExchange),
    contrasts: [unknown, revoked].map(refusedExchange),
  };
  return {
    name: OURS,
    open: async () => {
      await testEnvironment.forget();
      const server = await startAuthorizationServer(
        await fixture.installation(),
        await fixture.resourceServer(),
      );
      const folder = await mkdtemp(join(tmpdir(), 'bench-forward-auth-'));
      const clean = async () => {
        await server.stop();
        await rm(folder, { recursive: true, force: true });
      };
      try {
        const { pinning, nodeOptions } = testEnvironment;
        const environment = await forwardAuthSettings(server.requirements, folder);
        const launch = { name: 'forward-auth', environment, prefix: pinning.serverPrefix, nodeOptions };
        const { process, port } = await startService(launch);
        const close = async () => {
          await process.stop();
          await clean();
        };
        return { port, pid: process.pid, traffic, close };
      } catch (error) {
        await clean();
        throw error;
      }
    },
  };
}

/** The settings of the service, after writing the file with its routes into a folder. */
export async function forwardAuthSettings(
  requirements: TokenRequirements,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const { issuer, introspectionEndpoint, changesEndpoint, clientId, clientSecret, audience, scope } =
    requirements;
  const file = join(folder, 'routes.json');
  const routes = [{ path: '/orders/*', methods: ['GET'], scope }];
  const resource = { identifier: `https://${HOST}`, audience: [audience], routes };
  await writeFile(file, JSON.stringify({ resources: [resource] }));
  return {
    BASE_URL: issuer,
    ROUTES_FILE: file,
    INTROSPECTION_CLIENT_ID: clientId,
    INTROSPECTION_CLIENT_SECRET: clientSecret,
    INTROSPECTION_ENDPOINT: introspectionEndpoint,
    TOKEN_CHANGES_ENDPOINT: changesEndpoint,
    SHUTDOWN_DRAIN_MS: '0',
  };
}

/** A request of Traefik or Caddy, without the headers that play no part. */
export function checkRequest(token: string): string {
  const headers = {
    'x-forwarded-method': 'GET',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': HOST,
    'x-forwarded-uri': '/orders/7',
    authorization: `Bearer ${token}`,
  };
  return rawRequest({ method: 'GET', path: '/check', headers });
}

function allowedExchange({ token, subject }: IssuedToken): Exchange {
  return {
    request: checkRequest(token),
    problem: ({ status, headers }) => {
      if (status !== 200) return 'a live token is refused';
      return headers.get('x-token-subject') === subject ? undefined : 'the response is about another token';
    },
  };
}

function refusedExchange(token: string): Exchange {
  return {
    request: checkRequest(token),
    problem: ({ status }) => (status === 401 ? undefined : 'an invalid token is not refused'),
  };
}
