import type { ResourceVerifier } from '@vestibule/resource-server';
import type { AllowedRequest, DecideRequest, Decision, HeaderFields, RefusedRequest } from './decision.js';
import type { UpstreamIdentity } from './identity/upstream-identity.js';
import type { FindRoute } from './routing/route-table.js';

/** A resource behind the gateway. */
export interface GuardedResource {
  readonly verifier: Pick<ResourceVerifier, 'verify' | 'dpopNonces'>;
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

/** Creates the decision about requests: route, access token, and what the upstream learns. */
export function requestDecider({ findRoute, onError }: DeciderDeps): DecideRequest {
  const decide: DecideRequest = async (request) => {
    const match = findRoute(request);
    if (match.kind === 'ambiguous') return AMBIGUOUS;
    if (match.kind === 'none') return NO_ROUTE;
    const { resource, route } = match.entry;
    const { verifier, identity } = resource;
    if (route.requirement === 'public') return allowed(identity.none, NO_HEADERS);
    const verification = await verifier.verify(request, route.requirement);
    if (verification.outcome === 'refused') return verification;
    const headers = await identity.of(verification.token);
    const nonce = verifier.dpopNonces?.current();
    return allowed(headers, nonce === undefined ? NO_HEADERS : { 'DPoP-Nonce': nonce });
  };
  return async (request): Promise<Decision> => {
    try {
      return await decide(request);
    } catch (error) {
      onError(error);
      return FAILED;
    }
  };
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
