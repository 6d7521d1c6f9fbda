import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/**
 * Paths that nginx resolves to another one before it chooses a location. A server behind it that does not would find an
 * operation of the operator.
 * @param prefix the path of the issuer
 */
export function ambiguousPaths(prefix = ''): readonly string[] {
  const ends = [`${prefix}/clients/x`, `${prefix}/logout`, `${prefix}/token/introspect`];
  const session = `${prefix}/direct-authz/sessions/`;
  const depth = session.split('/').length - 2;
  const climbing = ['../', '..%2f', '..%2F', '%2e%2e/', '.%2e%2f', '%2E.%2f'].map((up) => up.repeat(depth));
  return [
    ...ends.flatMap((end) => climbing.map((up) => session + up + end.slice(1))),
    `${prefix}/clients/../direct-authz/revoke`,
    `${prefix}/clients/..%2fdirect-authz%2frevoke`,
    `${prefix}/clients/%2e%2e/direct-authz/revoke`,
    `${prefix}/clients/x/%2e%2e`,
    `${prefix}/clients/.`,
    `${prefix}/clients/..?limit=1`,
    `${prefix}/clients/..#x`,
  ];
}

/** Sends a request with its path as it is, unlike `fetch`. Resolves with the status. */
export async function requestPath(
  origin: string,
  path: string,
  method = 'GET',
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { hostname, port } = new URL(origin);
  const sent = request({ hostname, port, path, method, headers }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  response?.resume();
  return response?.statusCode ?? 0;
}
