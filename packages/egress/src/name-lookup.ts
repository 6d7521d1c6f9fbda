import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves a host name to its addresses; rejects when there are none.
 *
 * An implementation should stop when the signal aborts; the request ends at its deadline even if it does not.
 */
export type NameLookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Options of DNS lookups. */
export interface DnsOptions {
  /** Name servers as `address[:port]`. Default: those of the system. */
  readonly servers?: readonly string[];
  /** Time before the first retry of a query, in milliseconds. */
  readonly timeoutMs?: number;
}

const DEFAULT_DNS_TIMEOUT_MS = 700;

/** Attempts per name server; the deadline of the request may end them earlier. */
const DNS_TRIES = 2;

/** How long one address family waits for the other, because some name servers never respond for one of them. */
const FAMILY_GRACE_MS = 300;

async function ofBothFamilies(queries: readonly Promise<string[]>[]): Promise<readonly string[]> {
  const found: string[] = [];
  const collected = queries.map(async (query) => {
    found.push(...(await query));
  });
  const settled = Promise.allSettled(collected);
  const graceOver = Promise.any(collected).then(() => pause(FAMILY_GRACE_MS, undefined, { ref: false }));
  // When neither family has an address, `settled` reports the same.
  graceOver.catch(() => undefined);
  await Promise.race([settled, graceOver.catch(() => settled)]);
  if (found.length === 0) await Promise.all(collected);
  return found;
}

/**
 * Creates a lookup that queries DNS on the event loop.
 *
 * The system resolver runs on the few threads that the process shares with cryptography and file access, and can be
 * neither limited nor cancelled, so a handful of names with slow servers would stall the process. These queries can be
 * cancelled, and a hanging name costs one socket. The hosts file and search domains are not used, so that short and
 * private names do not become reachable.
 */
export function createDnsLookup({
  servers,
  timeoutMs = DEFAULT_DNS_TIMEOUT_MS,
}: DnsOptions = {}): NameLookup {
  return async (hostname, signal) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: DNS_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await ofBothFamilies([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    } finally {
      signal.removeEventListener('abort', cancel);
      resolver.cancel();
    }
  };
}

/**
 * Creates a lookup with the system resolver, hosts file included, for hosts in `allowHosts`.
 *
 * `localhost` and names under it are loopback without a lookup (RFC 6761 section 6.3). At most one lookup per name runs
 * at a time, so that a listed name with a slow server holds only one thread.
 */
export function createSystemLookup(): NameLookup {
  const pending = new Map<string, Promise<readonly string[]>>();
  const resolveName = async (hostname: string) => {
    const records = await systemLookup(hostname, { all: true });
    return records.map(({ address }) => address);
  };
  return (hostname) => {
    if (/(^|\.)localhost$/.test(hostname)) return Promise.resolve(['127.0.0.1', '::1']);
    const shared = pending.get(hostname) ?? resolveName(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, shared);
    return shared;
  };
}
