import { type Clock, systemClock } from '@vestibule/protocol';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import {
  createResourceServer,
  type DpopOptions,
  type Problem,
  type ProtectedResource,
  type ResourceServer,
  type ResourceServerMetrics,
  type ResourceServerOptions,
  rotatingDpopNonces,
} from '@vestibule/resource-server';
import { clientCertificateOptions, clientCertificateReader } from '@vestibule/service/tls';
import type { ForwardAuthConfig } from './config.js';
import { type GuardedResource, requestDecider } from './decide-request.js';
import type { ForwardAuthDeps } from './deps.js';
import { type UpstreamIdentity, upstreamIdentity } from './identity/upstream-identity.js';
import { upstreamTokenSigner } from './identity/upstream-token.js';
import { type UpstreamTokenKeys, upstreamTokenKeys } from './identity/upstream-token-keys.js';
import { metadataFinder } from './resource-metadata.js';
import { routeTable } from './routing/route-table.js';
import type { RoutedResource } from './routing/routed-resource.js';
import { clientCredentials } from './settings/introspection-settings.js';
import { routedResources } from './settings/routes-settings.js';

/** Parts that can be given beside the settings. Each has a default. */
export interface ForwardAuthParts {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Default: the clock of the process that never jumps. */
  readonly monotonic?: MonotonicClock;
  /** Called for each problem with introspection. Default: ignored. */
  readonly onProblem?: (problem: Problem) => void;
  /** Called for each request of a gateway that is not configured for this service. Default: ignored. */
  readonly onMisconfiguredGateway?: ForwardAuthDeps['onMisconfiguredGateway'];
  /** Called for each unexpected error. Default: ignored. */
  readonly onError?: (error: unknown) => void;
}

/** Forward authentication with its connections. */
export interface ForwardAuth {
  readonly deps: ForwardAuthDeps;
  readonly metrics: ResourceServerMetrics;
  /** Closes all connections. */
  close(): void;
}

/** Composes the dependencies of the service from its settings. It connects to the stream of changes at once. */
export function composeForwardAuth(config: ForwardAuthConfig, parts: ForwardAuthParts = {}): ForwardAuth {
  const { clock = systemClock, onMisconfiguredGateway = ignore, onError = ignore } = parts;
  const resources = routedResources(config);
  const dpop = dpopOptions(config, clock);
  const server = openResourceServer(config, { ...parts, clock, resources });
  const keys = upstreamTokenKeys(config.UPSTREAM_TOKEN_KEYS);
  const guarded = new Map(
    resources.map((resource) => {
      const verifier = server.forResource(protectedResource(resource), {
        ...dpop,
        isRequired: resource.isDpopRequired,
      });
      const identity = identityOf(config, { keys, clock, audience: resource.identifier });
      return [resource, { verifier, identity }] as const;
    }),
  );
  const guardedResource = (resource: RoutedResource): GuardedResource => {
    const found = guarded.get(resource);
    if (found === undefined) throw new TypeError('the resource is not one of the file');
    return found;
  };
  return {
    deps: {
      ...requestDecider({ findRoute: routeTable(resources, guardedResource), onError }),
      clientCertificate: forwardedCertificates(config),
      findMetadata: metadataFinder([...guarded.values()].map(({ verifier }) => verifier.metadata())),
      jwks: keys?.published,
      onMisconfiguredGateway,
      hasFastPath: config.FORWARD_AUTH_FAST_PATH,
      hasApiPage: config.API_PAGE_ENABLED,
    },
    metrics: server.metrics,
    close: server.close,
  };
}

/** Reads certificates from the header of a gateway. That of the connection is the gateway's own. */
function forwardedCertificates(config: ForwardAuthConfig): ForwardAuthDeps['clientCertificate'] {
  if (config.CLIENT_CERTIFICATE_HEADER === undefined) return () => undefined;
  const read = clientCertificateReader(clientCertificateOptions(config));
  return (request) => {
    const reading = read(request);
    return reading.kind === 'presented' ? reading.certificate.der : undefined;
  };
}

function openResourceServer(
  config: ForwardAuthConfig,
  {
    clock,
    monotonic,
    onProblem = ignore,
    resources,
  }: ForwardAuthParts & { readonly clock: Clock; readonly resources: readonly RoutedResource[] },
): ResourceServer {
  const [first] = resources;
  if (first === undefined) throw new TypeError('the routes file has no resource');
  return createResourceServer({
    issuer: config.BASE_URL,
    resource: protectedResource(first),
    credentials: clientCredentials(config),
    ...(config.INTROSPECTION_ENDPOINT !== undefined && {
      introspectionEndpoint: config.INTROSPECTION_ENDPOINT,
    }),
    ...freshnessOptions(config),
    connection: {
      timeoutMs: config.INTROSPECTION_TIMEOUT_MS,
      maxConcurrent: config.INTROSPECTION_MAX_CONCURRENT,
      maxWaiting: config.INTROSPECTION_MAX_WAITING,
      allowedHosts: config.EGRESS_ALLOW_HOSTS,
    },
    onProblem,
    clock,
    ...(monotonic !== undefined && { monotonic }),
  });
}

function freshnessOptions(config: ForwardAuthConfig): Pick<ResourceServerOptions, 'changes' | 'cache'> {
  const limits = {
    maxEntries: config.TOKEN_CACHE_ENTRIES,
    maxBytes: config.TOKEN_CACHE_MEGABYTES * 1_000_000,
  };
  const { TOKEN_CHANGES_ENDPOINT: endpoint } = config;
  if (!config.TOKEN_CHANGES_FOLLOWED)
    return { cache: { ...limits, lifetimeSeconds: config.TOKEN_CACHE_SECONDS } };
  return { cache: limits, changes: endpoint === undefined ? {} : { endpoint } };
}

function dpopOptions({ DPOP_NONCE_KEY: key }: ForwardAuthConfig, clock: Clock): DpopOptions {
  if (key === undefined) return {};
  return { nonces: rotatingDpopNonces({ key: Buffer.from(key.reveal(), 'base64url'), clock }) };
}

function protectedResource(resource: RoutedResource): ProtectedResource {
  const { identifier, audience, baseUrl, name, documentation, routes } = resource;
  const scopes = routes.flatMap(({ requirement }) =>
    requirement === 'public' ? [] : requirement.scope.split(' ').filter((value) => value !== ''),
  );
  return {
    identifier,
    audience,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(scopes.length > 0 && { scopes: [...new Set(scopes)] }),
    ...(name !== undefined && { name }),
    ...(documentation !== undefined && { documentation }),
  };
}

function identityOf(
  config: ForwardAuthConfig,
  {
    keys,
    clock,
    audience,
  }: { readonly keys: UpstreamTokenKeys | undefined; readonly clock: Clock; readonly audience: string },
): UpstreamIdentity {
  const { IDENTITY_HEADERS_ENABLED: hasHeaders, BASE_URL: issuer } = config;
  const lifetimeSeconds = config.UPSTREAM_TOKEN_LIFETIME_SECONDS;
  const sign = keys && upstreamTokenSigner({ key: keys.signing, issuer, audience, lifetimeSeconds, clock });
  return upstreamIdentity({ hasHeaders, sign });
}

function ignore(): void {}
