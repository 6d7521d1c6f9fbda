import type { ClientId } from '@vestibule/protocol';
import { type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import type { AuditActor } from '../audit-actor.js';
import type { ClientOrigin } from '../client.js';
import type { ClientRepository, UnusedClient } from '../client-repository.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';

/** Which clients to prune. */
export interface PruneInput {
  /** Select clients that were neither issued nor used at or after this time. */
  readonly unusedSince: EpochSeconds;
  /** Origins to select. Default: open registrations only. */
  readonly origins?: readonly ClientOrigin[];
  /** Whether to report only, without deleting. */
  readonly dryRun: boolean;
  /** Audit actor. */
  readonly actor: AuditActor;
  /** Maximum number of clients per statement. Default 500. */
  readonly batchSize?: number;
}

/** Dependencies of pruning. */
export interface PruneDeps extends Pick<RegistrationDeps, 'clock'> {
  readonly clients: Pick<ClientRepository, 'findUnused' | 'deleteUnused'>;
}

const BATCH_SIZE = 500;

/**
 * Deletes unused clients with everything issued to them, in batches as they are consumed. A client with a live
 * authorization or a live stored token stays, and so does one that is being changed. Self-contained tokens are not
 * stored: those issued before `unusedSince` end. Each deletion is audited.
 */
export async function* pruneClients(
  { clients, clock }: PruneDeps,
  { unusedSince, origins = ['open_registration'], dryRun, actor, batchSize = BATCH_SIZE }: PruneInput,
): AsyncGenerator<readonly UnusedClient[]> {
  let after: ClientId | undefined;
  for (;;) {
    const now = nowSeconds(clock);
    const batch = { unusedSince, origins, now, limit: batchSize, ...(after !== undefined && { after }) };
    const found = dryRun ? await clients.findUnused(batch) : await clients.deleteUnused(batch, actor);
    const last = found.at(-1);
    if (last === undefined) return;
    yield found;
    after = last.id;
  }
}
