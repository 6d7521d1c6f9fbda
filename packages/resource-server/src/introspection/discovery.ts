import type { AllowedHosts } from '@vestibule/protocol';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '@vestibule/protocol/json';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { HttpClient } from '../http/http-client.js';
import { HttpFailure } from '../http/http-failure.js';
import { serverAddress } from '../http/server-address.js';
import { IntrospectionFailure } from './introspection-failure.js';

/** The endpoints of an authorization server, by the names of its metadata (RFC 8414 section 2). */
export interface ServerEndpoints {
  /** @throws IntrospectionFailure `discovery` */
  url(name: 'introspection_endpoint' | 'jwks_uri' | 'token_endpoint'): Promise<URL>;
}

/** Dependencies of {@link discoveredEndpoints}. */
export interface DiscoveryDeps {
  readonly http: HttpClient;
  readonly issuer: string;
  readonly allowedHosts: AllowedHosts;
  readonly monotonic: MonotonicClock;
  readonly timeoutMs: number;
}

const MAX_BYTES = 65_536;
const LIMITS = { maxDepth: 8, maxMembers: 500 };
/** How long metadata is used before it is fetched again. */
const FRESH_MS = 3_600_000;
/** Minimum time between two attempts. */
const INTERVAL_MS = 1_000;

/**
 * Discovers endpoints from the metadata of the authorization server (RFC 8414 section 3, OpenID Connect Discovery
 * section 4), whose `issuer` must be the configured one. Parallel callers share a fetch. If a later fetch fails, the
 * present metadata stay in use.
 */
export function discoveredEndpoints(deps: DiscoveryDeps): ServerEndpoints {
  const { monotonic } = deps;
  let metadata: JsonObject | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  const fetchMetadata = async () => {
    triedAtMs = monotonic();
    metadata = (await findMetadata(deps).catch(() => undefined)) ?? metadata;
  };
  const current = async (): Promise<JsonObject> => {
    if (monotonic() - triedAtMs >= (metadata === undefined ? INTERVAL_MS : FRESH_MS))
      fetching ??= fetchMetadata().finally(() => {
        fetching = undefined;
      });
    // While there are metadata, a fetch runs beside the request.
    if (metadata === undefined) await fetching;
    if (metadata === undefined)
      throw new IntrospectionFailure('discovery', 'no metadata of the issuer can be read');
    return metadata;
  };
  return {
    url: async (name) => {
      const value = (await current())[name];
      if (typeof value !== 'string')
        throw new IntrospectionFailure('discovery', `the metadata of the issuer lacks ${name}`);
      try {
        return serverAddress(name, value, deps.allowedHosts);
      } catch (error) {
        throw new IntrospectionFailure('discovery', error instanceof Error ? error.message : '');
      }
    },
  };
}

async function findMetadata(deps: DiscoveryDeps): Promise<JsonObject | undefined> {
  for (const address of metadataAddresses(deps.issuer)) {
    const metadata = await fetchDocument(deps, address);
    if (metadata?.['issuer'] === deps.issuer) return metadata;
  }
  return undefined;
}

/** RFC 8414 section 3.1 puts the well-known part before the path, OpenID Connect Discovery after it. */
export function metadataAddresses(issuer: string): readonly URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname;
  return [
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
    new URL(`${origin}${path.replace(/\/$/, '')}/.well-known/openid-configuration`),
  ];
}

async function fetchDocument({ http, timeoutMs }: DiscoveryDeps, url: URL): Promise<JsonObject | undefined> {
  try {
    const headers = { Accept: 'application/json' };
    const response = await http.send({ method: 'GET', url, headers, timeoutMs, maxBytes: MAX_BYTES });
    if (response.status !== 200 || response.mediaType !== 'application/json') return undefined;
    const value = parseJson(response.text, LIMITS);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof HttpFailure || error instanceof JsonError) return undefined;
    throw error;
  }
}
