import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Finds the addresses of a host name; rejects when there are none.
 *
 * An implementation should stop when the signal aborts; the request ends at its deadline even when it does not.
 */
export type NameLookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** How DNS is asked. */
export interface DnsOptions {
  /** Name servers as `address[:port]`; without them those of the machine. */
  readonly servers?: readonly string[];
  /** Milliseconds before a query is repeated for the first time. */
  readonly timeoutMs?: number;
}

const DEFAULT_DNS_TIMEOUT_MS = 700;

/** Attempts for each name server. The deadline of the request ends them earlier. */
const DNS_TRIES = 2;

/** How long one address family waits for the other: some name servers never answer one of them. */
const FAMILY_GRACE_MS = 300;

async function ofBothFamilies(queries: readonly Promise<string[]>[]): Promise<readonly string[]> {
  const found: string[] = [];
  const collected = queries.map(async (query) => {
    found.push(...(await query));
  });
  const settled = Promise.allSettled(collected);
  const graceOver = Promise.any(collected).then(() => pause(FAMILY_GRACE_MS, undefined, { ref: false }));
  // When no family answers, `settled` comes and this rejection says no more than it does.
  graceOver.catch(() => undefined);
  await Promise.race([settled, graceOver.catch(() => settled)]);
  if (found.length === 0) await Promise.all(collected);
  return found;
}

/**
 * Asks DNS directly, on the event loop.
 *
 * The system's own lookup runs on the few threads that the process shares with cryptography and files, where it can
 * neither be given a time limit nor be cancelled, so a handful of names with slow servers would stop everything. This
 * one can be cancelled, and any number of hanging names costs a socket each. It reads no hosts file and adds no search
 * domain, so that short and private names do not become reachable through it.
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
 * Asks the system, hosts file included: for the hosts that an operator listed.
 *
 * `localhost` and names under it are loopback without a question (RFC 6761 section 6.3). At most one question per name
 * is under way, so that a listed name with a slow server holds one thread, however often it is asked for.
 */
export function createSystemLookup(): NameLookup {
  const pending = new Map<string, Promise<readonly string[]>>();
  const ask = async (hostname: string) => {
    const records = await systemLookup(hostname, { all: true });
    return records.map(({ address }) => address);
  };
  return (hostname) => {
    if (/(^|\.)localhost$/.test(hostname)) return Promise.resolve(['127.0.0.1', '::1']);
    const shared = pending.get(hostname) ?? ask(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, shared);
    return shared;
  };
}
