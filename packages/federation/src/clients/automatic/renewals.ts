import type { Client } from '@vestibule/clients';
import { renewAutomaticClient } from '@vestibule/clients/federation-registration';
import { randomAlphanumeric, sha256 } from '@vestibule/crypto';
import { DomainError, nowSeconds } from '@vestibule/protocol';
import { parseEntityId } from '../../entity-id.js';
import { recheckDenyList } from '../recheck-deny-list.js';
import type { AutomaticRegistrationDeps } from './automatic-registration-deps.js';
import type { ResolveShared } from './shared-resolutions.js';

/** Renews a registration in the background when it is due; returns whether a renewal started. */
export type Renew = (client: Client) => boolean;

/** Maximum number of concurrent renewals. Beyond it a client is renewed at a later use. */
const MAX_RUNNING = 4;

/**
 * Renewals happen between these fractions of the lifetime, at a random point, so that clients and instances do not
 * renew at the same time.
 */
const EARLIEST = 0.7;
const SPREAD = 0.2;

const SALT_LENGTH = 22;
const BYTE_VALUES = 256;

/**
 * Renews automatic registrations that are used late in their lifetime: one renewal of a client at a time, and few in
 * total. A failed renewal leaves the registration and its expiry unchanged.
 */
export function renewals(
  deps: AutomaticRegistrationDeps,
  resolve: ResolveShared,
  onProblem: (error: unknown) => void,
): Renew {
  const running = new Set<string>();
  const salt = randomAlphanumeric(SALT_LENGTH, deps.registration.random);
  const renew = async (client: Client): Promise<void> => {
    const clientId = parseEntityId(client.federation?.entityId, deps.allowHosts);
    if (clientId === undefined) return;
    // The requests of the client were counted; this one is ours, and limited otherwise.
    const accepted = await resolve({ clientId, chain: undefined, peerChain: undefined }, async () => {});
    await renewAutomaticClient(deps.registration, client, accepted);
    await recheckDenyList(deps, client.id, accepted.membership);
  };
  return (client) => {
    if (client.origin !== 'federation_automatic' || running.size >= MAX_RUNNING) return false;
    if (running.has(client.id) || nowSeconds(deps.clock) < dueAt(client, salt)) return false;
    running.add(client.id);
    renew(client)
      .catch((error: unknown) => {
        if (!(error instanceof DomainError)) onProblem(error);
      })
      .finally(() => running.delete(client.id));
    return true;
  };
}

function dueAt({ id, version, updatedAt, expiresAt }: Client, salt: string): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY;
  const [chance = 0] = sha256(`${salt} ${id} ${version}`);
  return updatedAt + (expiresAt - updatedAt) * (EARLIEST + (SPREAD * chance) / BYTE_VALUES);
}
