import {
  type AppliedClient,
  applyClient,
  deleteOwnedClient,
  type FileAuthority,
  type OwnedClients,
  type SecretDelivery,
} from '@vestibule/clients/files';
import type { ExclusiveRun } from '@vestibule/database';
import { DomainError, nowSeconds } from '@vestibule/protocol';
import { failed } from '../../frame/command-failure.js';
import type { Progress } from '../../frame/progress.js';
import { inOrder } from '../clients/import-order.js';
import type { OperatorDeps } from '../clients/with-registration.js';
import type { FileProblem } from './file-problem.js';
import { type Plan, type PlannedChange, problemOf } from './plan.js';
import type { SecretOutlet } from './secret-outlet.js';

/** What became of a plan. */
export interface Outcome {
  readonly created: number;
  readonly changed: number;
  readonly adopted: number;
  readonly deleted: number;
  /** Number of secrets that were handed over. */
  readonly secrets: number;
  /** Clients that were refused although the plan had no problem, because something has changed in between. */
  readonly problems: readonly FileProblem[];
}

/** Clients changed concurrently; each is a separate change. */
const AT_A_TIME = 4;

/** How to carry out a plan. */
export interface CarryOutOptions {
  readonly authority: FileAuthority;
  /** Absent only if the plan hands no secret over. */
  readonly outlet: SecretOutlet | undefined;
  /** The lock of this run. */
  readonly run: Pick<ExclusiveRun, 'isHeld'>;
  readonly progress: Progress;
}

/**
 * Carries out a plan, deletions first, so that new clients can have the resource identifiers of deleted ones. Each client
 * is one change. After an interruption, a new plan has the rest, and the secrets that were not handed over.
 * @throws CommandFailure if secrets cannot be handed over, or the lock is lost
 */
export async function carryOut(
  deps: OperatorDeps,
  owned: OwnedClients,
  plan: Plan,
  { authority, outlet, run, progress }: CarryOutOptions,
): Promise<Outcome> {
  const counts = { create: 0, update: 0, adopt: 0, deliver_secret: 0, none: 0 };
  const problems: FileProblem[] = [];
  const deliveries = deliveryQueue(deps, owned, { authority, outlet });
  let [done, deleted] = [0, 0];
  const step = () => {
    done += 1;
    progress.report(done);
  };
  const remove = async (id: Plan['deletions'][number]) => {
    requireHeld(run);
    return deleteOwnedClient(deps, id, authority);
  };
  for await (const isDeleted of inOrder(plan.deletions, remove, AT_A_TIME)) {
    if (isDeleted) deleted += 1;
    step();
  }
  const apply = async (planned: PlannedChange) => {
    requireHeld(run);
    return applied(deps, planned, authority);
  };
  for await (const result of inOrder(plan.changes, apply, AT_A_TIME)) {
    if ('problem' in result) problems.push(result);
    else {
      counts[result.action] += 1;
      if (result.delivery !== undefined) await deliveries.add(result.delivery);
    }
    step();
  }
  await deliveries.flush();
  progress.end();
  const { create: created, update: changed, adopt: adopted } = counts;
  return { created, changed, adopted, deleted, secrets: deliveries.count(), problems };
}

function requireHeld(run: Pick<ExclusiveRun, 'isHeld'>): void {
  if (!run.isHeld())
    throw failed('The connection that locks this run was lost: run the command again to complete it.');
}

async function applied(
  deps: OperatorDeps,
  planned: PlannedChange,
  authority: FileAuthority,
): Promise<AppliedClient | FileProblem> {
  const { client, change } = planned;
  try {
    return await applyClient(deps, client, { change, authority });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return problemOf(planned, { member: '', problem: error.description });
  }
}

/** Hands secrets over in groups, and records it after each group. */
function deliveryQueue(
  { clock }: OperatorDeps,
  owned: OwnedClients,
  { authority, outlet }: Pick<CarryOutOptions, 'authority' | 'outlet'>,
) {
  let waiting: SecretDelivery[] = [];
  let count = 0;
  const flush = async () => {
    if (outlet === undefined || waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    await outlet.deliver(group);
    await owned.markDelivered(group, { actor: authority.operator, now: nowSeconds(clock) });
    count += group.length;
  };
  return {
    add: async (delivery: SecretDelivery) => {
      waiting.push(delivery);
      if (waiting.length >= (outlet?.atOnce ?? Number.POSITIVE_INFINITY)) await flush();
    },
    flush,
    count: () => count,
  };
}
