import type { ResourceVerifier } from '@vestibule/resource-server';
import type {
  AllowAtOnce,
  AllowedRequest,
  DecideRequest,
  Decision,
  HeaderFields,
  RefusedRequest,
} from './decision.js';
import type { UpstreamIdentity } from './identity/upstream-identity.js';
import type { FindRoute } from './routing/route-table.js';

/** A resource behind the gateway. */
export interface GuardedResource {
  readonly verifier: Pick<ResourceVerifier, 'verify' | 'verifyCached' | 'dpopNonces'>;
  readonly identity: UpstreamIdentity;
}

/** Dependencies of {@link requestDecider}. */
export interface DeciderDeps {
  readonly findRoute: FindRoute<GuardedResource>;
  /** Called with unexpected errors, after which the request is refused. */
  readonly onError: (error: unknown) => void;
}

/** A request whose host, path or method could be read differently by the upstream. */
const AMBIGUOUS = refusal(400, 'invalid_request', 'The host, path or method of the request is ambiguous');
/** A request that no route permits. */
const NO_ROUTE = refusal(403, 'access_denied', 'No route permits this request');
const FAILED: RefusedRequest = {
  outcome: 'refused',
  status: 500,
  headers: { 'Cache-Control': 'no-store' },
  body: '',
};

const NO_HEADERS: HeaderFields = Object.freeze({});

/** Decides about requests. */
export interface RequestDecider {
  readonly decide: DecideRequest;
  readonly allowAtOnce: AllowAtOnce;
}

/** Creates the decision about requests: route, access token, and what the upstream learns. */
export function requestDecider({ findRoute, onError }: DeciderDeps): RequestDecider {
  const decide: DecideRequest = async (request) => {
    const match = findRoute(request);
    if (match.kind === 'ambiguous') return AMBIGUOUS;
    if (match.kind === 'none') return NO_ROUTE;
    const { resource, route } = match.entry;
    const { verifier, identity } = resource;
    if (route.requirement === 'public') return allowed(identity.none, NO_HEADERS);
    const verification = await verifier.verify(request, route.requirement);
    if (verification.outcome === 'refused') return verification;
    return allowed(await identity.of(verification.token), responseHeaders(verifier));
  };
  const allowAtOnce: AllowAtOnce = (request) => {
    const match = findRoute(request);
    if (match.kind !== 'route') return undefined;
    const { resource, route } = match.entry;
    const { verifier, identity } = resource;
    if (route.requirement === 'public') return allowed(identity.none, NO_HEADERS);
    const accepted = verifier.verifyCached(request, route.requirement);
    if (accepted === undefined) return undefined;
    const headers = identity.of(accepted.token);
    const more = responseHeaders(verifier);
    return headers instanceof Promise
      ? headers.then((later) => allowed(later, more))
      : allowed(headers, more);
  };
  return {
    decide: async (request): Promise<Decision> => {
      try {
        return await decide(request);
      } catch (error) {
        onError(error);
        return FAILED;
      }
    },
    allowAtOnce,
  };
}

function responseHeaders({ dpopNonces }: Pick<ResourceVerifier, 'dpopNonces'>): HeaderFields {
  return dpopNonces === undefined ? NO_HEADERS : { 'DPoP-Nonce': dpopNonces.current() };
}

function allowed(headers: HeaderFields, responseHeaders: HeaderFields): AllowedRequest {
  return { outcome: 'allowed', headers, responseHeaders };
}

function refusal(status: number, error: string, description: string): RefusedRequest {
  return {
    outcome: 'refused',
    status,
    headers: { 'Cache-Control': 'no-store', 'Content-Type': 'application/json' },
    body: JSON.stringify({ error, error_description: description }),
  };
}
