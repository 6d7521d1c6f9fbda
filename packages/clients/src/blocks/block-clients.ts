import { type ClientId, type Clock, nowSeconds } from '@vestibule/protocol';
import type { AuditActor } from '../audit-actor.js';
import type {
  BlockedClient,
  BlockedStretch,
  ClientBlockName,
  ClientBlocks,
  ClientStretch,
} from './client-blocks.js';

/** What to block. */
export interface BlockInput {
  readonly names: readonly ClientBlockName[];
  readonly reason?: string | undefined;
  /** Whether to report only which clients it would delete. */
  readonly dryRun: boolean;
  readonly actor: AuditActor;
  /** Number of clients that one statement examines. Default 500. */
  readonly batchSize?: number;
}

/** Dependencies of blocking clients. */
export interface BlockDeps {
  readonly blocks: ClientBlocks;
  readonly clock: Clock;
}

const BATCH_SIZE = 500;

/**
 * Blocks clients: no client with one of these names is registered any more, and those that are there are deleted with
 * everything issued to them, in batches as they are consumed. If it is interrupted, the blocks stay in force, and a
 * repetition or the clean-up job deletes the rest.
 */
export async function* blockClients(
  { blocks, clock }: BlockDeps,
  { names, reason, dryRun, actor, batchSize = BATCH_SIZE }: BlockInput,
): AsyncGenerator<readonly BlockedClient[]> {
  if (dryRun) {
    yield* stretches((stretch) => blocks.find(names, stretch), batchSize);
    return;
  }
  await blocks.add(names, reason, { actor, now: nowSeconds(clock) });
  yield* endBlockedClients({ blocks, clock }, { actor, batchSize });
}

/**
 * Deletes every client that is blocked, if a block has not been carried out yet. Any number of processes may do so at the
 * same time.
 */
export async function* endBlockedClients(
  { blocks, clock }: BlockDeps,
  { actor, batchSize = BATCH_SIZE }: Pick<BlockInput, 'actor' | 'batchSize'>,
): AsyncGenerator<readonly BlockedClient[]> {
  const begun = await blocks.pending();
  if (begun.length === 0) return;
  const change = () => ({ actor, now: nowSeconds(clock) });
  yield* stretches((stretch) => blocks.end(stretch, change()), batchSize);
  await blocks.markEnded(begun, nowSeconds(clock));
}

async function* stretches(
  read: (stretch: ClientStretch) => Promise<BlockedStretch>,
  limit: number,
): AsyncGenerator<readonly BlockedClient[]> {
  let after: ClientId | undefined;
  do {
    const { blocked, last } = await read({ limit, ...(after !== undefined && { after }) });
    if (blocked.length > 0) yield blocked;
    after = last;
  } while (after !== undefined);
}
