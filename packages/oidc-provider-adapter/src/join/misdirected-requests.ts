import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReplacingEndpoints } from './configuration-problems.js';

/** Refuses a request if it belongs to another service; returns whether it did. */
export type RefuseMisdirected = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Recognizes requests that the gateway should have sent to another service. The response says so, and the first one for
 * each service is reported.
 */
export function misdirected(
  { registration, introspection, logout }: ReplacingEndpoints,
  onProblem: (problem: string) => void,
): RefuseMisdirected {
  const services = [
    { name: 'registration', path: new URL(registration).pathname, hasPathsBelow: true },
    { name: 'introspection', path: new URL(introspection).pathname, hasPathsBelow: false },
    { name: 'logout', path: new URL(logout).pathname, hasPathsBelow: false },
  ];
  const reported = new Set<string>();
  return (request, response) => {
    const path = pathOf(request);
    const service = services.find(
      (other) => path === other.path || (other.hasPathsBelow && path.startsWith(`${other.path}/`)),
    );
    if (service === undefined) return false;
    const problem = `${service.path} reached the authorization server: the gateway must send it to the ${service.name} service`;
    if (!reported.has(service.name)) onProblem(`${problem}.`);
    reported.add(service.name);
    response.writeHead(404, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify({ error: 'not_found', error_description: problem }));
    return true;
  };
}

/** The path before a framework removed that of its router. */
function pathOf(request: IncomingMessage): string {
  const address = 'originalUrl' in request ? String(request.originalUrl) : (request.url ?? '');
  return address.split('?', 1)[0] ?? '';
}
