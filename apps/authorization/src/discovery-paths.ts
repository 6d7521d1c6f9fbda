import { isPlainPath } from '@vestibule/protocol';

const OPENID = '/.well-known/openid-configuration';
const OAUTH = '/.well-known/oauth-authorization-server';

/**
 * The paths at which this server publishes its discovery document. Without a path in the issuer, or behind a proxy that
 * removes it, these are the two well-known paths. With one, clients put the well-known part before it (RFC 8414 section 3.1)
 * or after it (OpenID Connect Discovery 1.0 section 4); clients of MCP try both with either name. A path that proxies and
 * routers may read differently is published by a proxy alone.
 */
export function discoveryPaths(issuer: string): readonly string[] {
  const path = new URL(issuer).pathname;
  const names = [OPENID, OAUTH];
  if (!isPlainPath(path)) return names;
  return names.flatMap((name) => [name, name + path, path + name]);
}
