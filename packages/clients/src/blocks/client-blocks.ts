import { examineUri } from '@vestibule/metadata/uris';
import { type ClientId, type EpochSeconds, isEntityHost } from '@vestibule/protocol';
import type { AuditActor } from '../audit-actor.js';
import type { ClientOrigin } from '../client.js';

/** How a block names clients. */
export type ClientBlockKind = 'host' | 'redirect_uri' | 'software_id';

/**
 * A name under which clients are blocked:
 * - `host`: a host, or `*.` and a host for its subdomains, with any port. It covers the client identifier, the federation
 *   entity identifier and every http and https URI in the metadata, in all languages.
 * - `redirect_uri`: a redirect URI, on loopback addresses with any port; or `scheme:*` or an origin followed by `/*`.
 * - `software_id`: the `software_id`, in every version.
 */
export interface ClientBlockName {
  readonly kind: ClientBlockKind;
  readonly value: string;
}

/** A block in force. */
export interface ClientBlock extends ClientBlockName {
  readonly reason?: string;
  readonly blockedAt: EpochSeconds;
  /** When the last client that it covered had been deleted; absent until then. */
  readonly endedAt?: EpochSeconds;
}

/** A block whose clients have not all been deleted, as it was stored at one moment. */
export interface PendingBlock extends ClientBlockName {
  /** Changes with the block, also when it is lifted and added again. */
  readonly revision: string;
}

/** A client that a block covers. */
export interface BlockedClient {
  readonly id: ClientId;
  readonly origin: ClientOrigin;
  readonly issuedAt: EpochSeconds;
}

/** A stretch of all clients in the order of their identifiers. */
export interface ClientStretch {
  /** The last client of the stretch before. */
  readonly after?: ClientId;
  /** Maximum number of clients in the stretch, blocked or not. */
  readonly limit: number;
}

/** The clients of a stretch that are blocked, and the last one of all in it; absent if it is empty. */
export interface BlockedStretch {
  readonly blocked: readonly BlockedClient[];
  readonly last?: ClientId;
}

/** Author and time of a change. */
export interface BlockChange {
  readonly actor: AuditActor;
  readonly now: EpochSeconds;
}

/** Store of blocks. The store itself refuses to add blocked clients, and to change clients into blocked ones. */
export interface ClientBlocks {
  /**
   * Adds blocks. One that is there gets the new reason, if any, and is pending again. Waits for clients that are being
   * added: when it returns, blocked clients are either refused or found by {@link end}. Audited.
   */
  add(names: readonly ClientBlockName[], reason: string | undefined, change: BlockChange): Promise<void>;
  /** Lifts a block; false if there is none. Deleted clients stay deleted. Audited. */
  remove(name: ClientBlockName, change: BlockChange): Promise<boolean>;
  list(): Promise<readonly ClientBlock[]>;
  /** The blocks whose clients have not all been deleted. */
  pending(): Promise<readonly PendingBlock[]>;
  /** Whether a client with this identifier is or would be blocked, registered or not. */
  isBlocked(id: ClientId): Promise<boolean>;
  /** Finds the clients of a stretch that these blocks would cover. */
  find(names: readonly ClientBlockName[], stretch: ClientStretch): Promise<BlockedStretch>;
  /**
   * Deletes the blocked clients of a stretch with everything issued to them. If that takes too long for one statement, it
   * deletes those at the beginning of the stretch, and returns a shorter one. Audited as `client.blocked`.
   */
  end(stretch: ClientStretch, change: BlockChange): Promise<BlockedStretch>;
  /**
   * Notes that every client that these blocks covered has been deleted. A block that was changed meanwhile stays pending:
   * if it was lifted for a time, clients may have registered behind the deletion.
   */
  markEnded(blocks: readonly PendingBlock[], now: EpochSeconds): Promise<void>;
}

/**
 * Parses a host or `*.` and a host. Upper case, internationalized names and a dot at the end are accepted.
 * @throws TypeError with the rule that the text breaks
 */
export function parseBlockedHost(text: string): ClientBlockName {
  const [, wildcard = '', name = ''] = /^(\*\.)?(.*?)\.?$/.exec(text) ?? [];
  const isHost = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s/\\@:?#[\]%]+)$/.test(name) && URL.canParse(`https://${name}/`);
  const host = isHost ? new URL(`https://${name}/`).hostname : '';
  if (!isEntityHost(host)) throw new TypeError('must be a host without scheme, port and path');
  // A subdomain of a top-level domain could be anyone's.
  if (wildcard !== '' && !/\.[^.]*[^.0-9\]][^.]*$/.test(host))
    throw new TypeError('*. must be followed by a host name with a dot');
  return { kind: 'host', value: wildcard + host };
}

/**
 * Parses a redirect URI, `scheme:*`, or an origin followed by `/*`.
 * @throws TypeError with the rule that the text breaks
 */
export function parseBlockedRedirectUri(text: string): ClientBlockName {
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/)?\*$/.exec(text) ?? [];
  if (scheme !== undefined) {
    if (/^https?$/i.test(scheme)) throw new TypeError('http and https need a host before the asterisk');
    return { kind: 'redirect_uri', value: `${scheme}:*` };
  }
  const isPrefix = text.endsWith('*');
  const { reading, problem } = examineUri(isPrefix ? text.slice(0, -1) : text);
  if (reading === undefined) throw new TypeError(problem);
  if (reading.hasFragment) throw new TypeError('must not have a fragment, which no redirect URI has');
  if (text.slice(0, -1).includes('*') || (isPrefix && !isOrigin(reading)))
    throw new TypeError('an asterisk must follow a scheme and its colon, or an origin and a slash');
  return { kind: 'redirect_uri', value: text };
}

function isOrigin({ host, path, query, hasFragment }: NonNullable<ReturnType<typeof examineUri>['reading']>) {
  return host !== '' && path === '/' && query === undefined && !hasFragment;
}

/**
 * Parses a `software_id`, which is compared character by character.
 * @throws TypeError if it is empty
 */
export function parseBlockedSoftware(text: string): ClientBlockName {
  if (text === '') throw new TypeError('must not be empty');
  return { kind: 'software_id', value: text };
}
