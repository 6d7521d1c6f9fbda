import type { Closers } from '@vestibule/local-services';
import { createResourceServer, type ResourceServer } from '@vestibule/resource-server';
import type { RegisteredClient } from '../clients/register.js';

/** An API that only responds to requests with a live access token. */
export interface ProtectedApi {
  readonly name: string;
  readonly address: string;
  /** How many requests it has accepted without an introspection request; absent where that is not known. */
  readonly cacheHits?: () => number;
}

/** Where an API listens, and whom it asks about tokens. */
export interface ApiPlace {
  readonly name: string;
  readonly port: number;
  /** The issuer of the tokens. */
  readonly issuer: string;
  /** The base URL of the introspection instance. */
  readonly instance: string;
  /** The client that the API introspects as. */
  readonly client: RegisteredClient;
}

/** Starts an API. It serves `/reports` for the scope `reports:read` and `/archive` for `reports:archive`. */
export type OpenApi = (place: ApiPlace, toEnd: Closers) => Promise<ProtectedApi>;

/** The paths of an API, with the scope that each requires. */
export const SCOPES = { '/reports': 'reports:read', '/archive': 'reports:archive' } as const;

/** The paths of an API. */
export const PATHS = ['/reports', '/archive'] as const;

/** An API with `@vestibule/resource-server`, before a framework serves it. */
export interface ApiWithPackage {
  readonly api: ProtectedApi;
  readonly server: ResourceServer;
}

/** Creates what verifies the tokens of an API, which follows the stream of changes from now on. */
export function apiWithPackage(
  { name, port, issuer, instance, client }: ApiPlace,
  toEnd: Closers,
): ApiWithPackage {
  const address = `http://127.0.0.1:${port}`;
  const server = createResourceServer({
    issuer,
    introspectionEndpoint: `${instance}/token/introspect`,
    changes: { endpoint: `${instance}/token/changes` },
    credentials: { method: 'client_secret_basic', clientId: client.id, clientSecret: client.secret },
    // The tokens of the tour are for every API; the introspection endpoint compares the audience of others.
    resource: { identifier: address, audience: 'unchecked', name, scopes: Object.values(SCOPES) },
  });
  toEnd.add(async () => server.close());
  const metric = server.metrics.all.find((each) => each.name === 'resource_server_cache_hits_total');
  return { server, api: { name, address, cacheHits: () => metric?.read()[0]?.value ?? 0 } };
}
