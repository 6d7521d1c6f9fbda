import { type handleUnaryCall, status } from '@grpc/grpc-js';
import type { HealthCheckRequest } from './messages.js';

/** Name of the method of `grpc.health.v1.Health`. */
export const HEALTH_CHECK = '/grpc.health.v1.Health/Check';

/** Values of `ServingStatus`. */
const SERVING = 1;
const NOT_SERVING = 2;

/** The services of this server; the empty name is the server as a whole. */
const SERVICES: ReadonlySet<string> = new Set(['', 'envoy.service.auth.v3.Authorization']);

/** Creates the handler of health checks. */
export function healthCheck(isServing: () => boolean): handleUnaryCall<HealthCheckRequest, number> {
  return ({ request: { service = '' } }, callback) => {
    if (SERVICES.has(service)) callback(null, isServing() ? SERVING : NOT_SERVING);
    else callback({ code: status.NOT_FOUND, details: 'unknown service' });
  };
}
