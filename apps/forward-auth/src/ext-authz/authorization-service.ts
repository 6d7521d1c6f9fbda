import type { handleUnaryCall } from '@grpc/grpc-js';
import type { Logger, Metrics } from '@vestibule/http/observability';
import type { DecideRequest, Decision } from '../decision.js';
import { readCheckRequest } from './check-request.js';
import { checkResponse } from './check-response.js';
import type { CheckResponse } from './messages.js';

/** Path of the method of `envoy.service.auth.v3.Authorization` (forward-auth/API.md#envoy-over-grpc). */
export const CHECK = '/envoy.service.auth.v3.Authorization/Check';

/** Dependencies of {@link authorizationCheck}. */
export interface AuthorizationCheckDeps {
  readonly decide: DecideRequest;
  /** Called for a check that does not describe a request over HTTP. */
  readonly onMisconfiguredGateway: (problem: string) => void;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'http'>;
}

/** What every check must contain. */
const CHECK_RULE = 'a check must have the method, host and path of a request over HTTP';

const MALFORMED: Decision = {
  outcome: 'refused',
  status: 400,
  headers: { 'Cache-Control': 'no-store' },
  body: '',
};

/**
 * Creates the handler of checks. It responds to every message, and to a malformed one with a refusal. Decisions are counted
 * and logged like those over HTTP, by the status that the client of the gateway gets.
 */
export function authorizationCheck(deps: AuthorizationCheckDeps): handleUnaryCall<Uint8Array, CheckResponse> {
  const { decide, onMisconfiguredGateway } = deps;
  const observe = observer(deps);
  const decided = async (bytes: Uint8Array): Promise<Decision> => {
    const request = readCheckRequest(bytes);
    if (request !== undefined) return decide(request);
    onMisconfiguredGateway(CHECK_RULE);
    return MALFORMED;
  };
  return ({ request }, callback) => {
    const startedAt = performance.now();
    void decided(request).then((decision) => {
      observe(decision, performance.now() - startedAt);
      callback(null, checkResponse(decision));
    });
  };
}

function observer({ logger, metrics }: AuthorizationCheckDeps) {
  const operation = { routeGroup: 'forward-auth', method: 'POST', route: CHECK };
  const counted = metrics.http.operation(operation.routeGroup, `${operation.method} ${operation.route}`);
  const log = logger.child(operation);
  return (decision: Decision, durationMs: number): void => {
    const status = decision.outcome === 'allowed' ? 200 : decision.status;
    counted.record(status, durationMs);
    const level = status >= 500 ? 'error' : status >= 400 ? 'info' : 'debug';
    if (log.isLevelEnabled(level)) log[level]({ status, durationMs }, 'request');
  };
}
