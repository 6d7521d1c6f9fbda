import type { AuditActor, ClientRepository } from '@vestibule/clients';
import { type ClientId, type Clock, type EpochSeconds, nowSeconds, parseClientId } from '@vestibule/protocol';

/** Dependencies of denying an entity. */
export interface DenialDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'delete'>;
  readonly records: {
    /** Adds an entity to the deny list, or changes its reason. */
    deny(
      entry: { readonly entityId: string; readonly reason?: string },
      change: { readonly actor: AuditActor; readonly now: EpochSeconds },
    ): Promise<void>;
    /** Lists the identifiers of clients that are registered with a trust chain that contains an entity. */
    clientsThrough(entityId: string): Promise<readonly string[]>;
  };
}

/** A denial. */
export interface Denial {
  readonly entityId: string;
  /** Shown in the deny list. */
  readonly reason?: string;
  readonly actor: AuditActor;
  /** Time after which no further client is deleted, in milliseconds. Default: no limit. */
  readonly maxMs?: number;
  /** Deletes no client if there are more than this number. Default: no limit. */
  readonly maxClients?: number;
}

/** What a denial did. */
export interface DenialOutcome {
  readonly deleted: readonly ClientId[];
  /** Clients that are left because the time was over or there are too many: deny the entity again to delete them. */
  readonly left: number;
}

/**
 * Puts an entity on the deny list, and then deletes the clients that are registered through it, with everything that was
 * issued to them. No client can register through the entity as soon as the first of them is deleted. Idempotent.
 */
export async function carryOutDenial(
  { clock, clients, records }: DenialDeps,
  {
    entityId,
    reason,
    actor,
    maxMs = Number.POSITIVE_INFINITY,
    maxClients = Number.POSITIVE_INFINITY,
  }: Denial,
): Promise<DenialOutcome> {
  const untilMs = clock.nowMs() + maxMs;
  await records.deny(
    { entityId, ...(reason !== undefined && { reason }) },
    { actor, now: nowSeconds(clock) },
  );
  // Read after the denial: a registration that is in progress now ends by itself.
  const through = (await records.clientsThrough(entityId)).flatMap((text) => parseClientId(text) ?? []);
  if (through.length > maxClients) return { deleted: [], left: through.length };
  const deleted: ClientId[] = [];
  for (const [index, id] of through.entries()) {
    if (clock.nowMs() > untilMs) return { deleted, left: through.length - index };
    if (await clients.delete(id, nowSeconds(clock), { actor })) deleted.push(id);
  }
  return { deleted, left: 0 };
}
