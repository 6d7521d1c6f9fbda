import { isIPv6 } from 'node:net';

/** A host of an address. */
export interface RedisHost {
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Credentials for Redis servers; both members are secret. */
export interface RedisCredentials {
  /** The ACL user; absent for the default one. */
  readonly username?: string;
  readonly password: string;
}

/** A parsed connection address. */
export type RedisAddress = {
  readonly tls: boolean;
  readonly credentials?: RedisCredentials;
} & (
  | { readonly kind: 'standalone'; readonly node: RedisHost; readonly database: number }
  | {
      readonly kind: 'sentinel';
      readonly sentinels: readonly RedisHost[];
      /** The name under which the sentinels watch the master. */
      readonly master: string;
      readonly database: number;
    }
  | { readonly kind: 'cluster'; readonly nodes: readonly RedisHost[] }
);

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

/** Scheme, user information, hosts and path, without query and fragment. */
const ADDRESS = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#[\]]*)@)?([^@/?#]+)(?:\/([^?#]*))?$/;
const USER_INFORMATION =
  /^(?:[\w\-.~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*:(?:[\w\-.~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})+$/;
const HOST = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9][\w.-]{0,252}))(?::(\d{1,5}))?$/;
const DATABASE = /^(?:0|[1-9]\d{0,4})$/;
const MASTER = /^[\w.-]{1,128}$/;

/**
 * Parses a connection address: `redis://user:password@host:port/database`,
 * `redis+sentinel://…@host:port,host:port/master/database` or `redis+cluster://…@host:port,host:port`, with `rediss` in
 * place of `redis` for TLS. User information, ports (6379, sentinels 26379) and database (0) are optional. Reserved
 * characters of a password must be percent-encoded.
 * @throws TypeError with a message of one sentence that contains nothing of the address
 */
export function parseRedisUrl(text: string): RedisAddress {
  const [, scheme, form = 'standalone', userInformation, hosts = '', path = ''] = ADDRESS.exec(text) ?? [];
  if (scheme === undefined) {
    throw new TypeError(
      'must be a redis:// or rediss:// address, with +sentinel or +cluster after the scheme',
    );
  }
  const shared = { tls: scheme === 'rediss', ...parseUserInformation(userInformation) };
  switch (form) {
    case 'sentinel': {
      const [master = '', database, ...rest] = path.split('/');
      if (!MASTER.test(master) || rest.length > 0) {
        throw new TypeError(
          'must name the master, and may name a database, after the hosts of the sentinels',
        );
      }
      const sentinels = hosts.split(',').map((host) => parseHost(host, SENTINEL_PORT));
      return { ...shared, kind: 'sentinel', sentinels, master, database: parseDatabase(database ?? '') };
    }
    case 'cluster':
      if (path !== '') throw new TypeError('must not name a database, because a cluster has only one');
      return {
        ...shared,
        kind: 'cluster',
        nodes: hosts.split(',').map((host) => parseHost(host, REDIS_PORT)),
      };
    default:
      return {
        ...shared,
        kind: 'standalone',
        node: parseHost(hosts, REDIS_PORT),
        database: parseDatabase(path),
      };
  }
}

function parseUserInformation(text: string | undefined): { credentials?: RedisCredentials } {
  if (text === undefined) return {};
  if (!USER_INFORMATION.test(text)) {
    throw new TypeError('must have a password after the user name, with reserved characters percent-encoded');
  }
  const colon = text.indexOf(':');
  const username = decodePercent(text.slice(0, colon));
  const password = decodePercent(text.slice(colon + 1));
  return { credentials: username === '' ? { password } : { username, password } };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError('must be percent-encoded UTF-8 in user name and password');
  }
}

function parseHost(text: string, defaultPort: number): RedisHost {
  const [, literal, name, digits] = HOST.exec(text) ?? [];
  const host = literal ?? name;
  const port = digits === undefined ? defaultPort : Number(digits);
  const isHost = host !== undefined && (literal === undefined || isIPv6(literal));
  if (!isHost || port < 1 || port > 65_535) {
    throw new TypeError('must name each host as host or host:port, with commas between several');
  }
  return { host, port };
}

function parseDatabase(text: string): number {
  if (text === '') return 0;
  if (!DATABASE.test(text)) throw new TypeError('must name the database by its number');
  return Number(text);
}
