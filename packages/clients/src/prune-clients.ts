import type { ClientId } from '@vestibule/protocol';
import { type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import type { AuditActor } from './audit-actor.js';
import type { ClientOrigin } from './client.js';
import type { ClientRepository, UnusedClient } from './client-repository.js';
import type { RegistrationDeps } from './registration-deps.js';

/** Which clients are pruned. */
export interface PruneInput {
  /** Clients that were neither issued nor used at or after this instant. */
  readonly unusedSince: EpochSeconds;
  /** How they came to be. Default open registrations alone. */
  readonly origins?: readonly ClientOrigin[];
  /** Only tells what would be deleted. */
  readonly dryRun: boolean;
  /** Who prunes. */
  readonly actor: AuditActor;
  /** The most clients of one statement. Default 500. */
  readonly batchSize?: number;
}

/** What pruning takes. */
export interface PruneDeps extends Pick<RegistrationDeps, 'clock'> {
  readonly clients: Pick<ClientRepository, 'findUnused' | 'deleteUnused'>;
}

const BATCH_SIZE = 500;

/**
 * Deletes clients that nobody uses, with everything that hangs on them, in batches as they are consumed. A client with
 * a live authorisation or a live token that is stored stays, and so does one that someone changes at that moment.
 * Self-contained tokens are not stored: those that were issued before `unusedSince` end. Each deletion is recorded.
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
