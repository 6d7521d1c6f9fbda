import {
  type ClientChange,
  type ClientPlan,
  clientsBeyondFiles,
  evaluateClient,
  type FileAuthority,
  type OwnedClients,
} from '@vestibule/clients/files';
import type { ClientId } from '@vestibule/protocol';
import type { Progress } from '../../frame/progress.js';
import { inOrder } from '../clients/import-order.js';
import type { OperatorDeps } from '../clients/with-registration.js';
import type { FileProblem } from './file-problem.js';
import type { FiledClient, LoadedClients } from './load-clients.js';

/** A change of a client in a file. */
export interface PlannedChange extends FiledClient {
  readonly change: ClientChange;
}

/** What applying the files of a folder would do. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Clients that the files own and no longer contain. */
  readonly deletions: readonly ClientId[];
  /** Number of clients in the files that the owner has already, with or without changes. */
  readonly kept: number;
  /** Number of clients that need no change. */
  readonly unchanged: number;
  /** With problems, nothing is applied. */
  readonly problems: readonly FileProblem[];
}

/** Clients evaluated concurrently; their reads are sent together. */
const AT_A_TIME = 32;

/** How to plan. */
export interface PlanOptions {
  readonly authority: FileAuthority;
  readonly prunes: boolean;
  readonly progress: Progress;
}

/** Compares the files with what is registered, and changes nothing. Every problem is found. */
export async function makePlan(
  deps: OperatorDeps,
  owned: OwnedClients,
  { clients, problems: inFiles }: LoadedClients,
  { authority, prunes, progress }: PlanOptions,
): Promise<Plan> {
  const problems = [...inFiles];
  const changes: PlannedChange[] = [];
  let [done, kept, unchanged] = [0, 0, 0];
  const evaluate = async (filed: FiledClient) => ({
    filed,
    plan: await evaluateClient(deps, filed.client, authority),
  });
  for await (const { filed, plan } of inOrder(clients.values(), evaluate, AT_A_TIME)) {
    if (plan.action === 'problem') problems.push(problemOf(filed, plan.problem));
    else if (plan.action === 'none') unchanged += 1;
    else changes.push({ ...filed, change: plan });
    if (isKept(plan)) kept += 1;
    done += 1;
    progress.report(done);
  }
  const deletions: ClientId[] = [];
  const isDeclared = (id: ClientId) => clients.has(id);
  if (prunes)
    for await (const id of clientsBeyondFiles(owned, authority.owner, isDeclared)) deletions.push(id);
  progress.end();
  return { changes, deletions, kept, unchanged, problems };
}

/** A problem of a client, with its file. */
export function problemOf(
  { file, client }: FiledClient,
  { member, problem }: { readonly member: string; readonly problem: string },
): FileProblem {
  return { file, client: client.id, ...(member !== '' && { member }), problem };
}

/** Whether the owner has the client already. */
function isKept(plan: ClientPlan): boolean {
  if (plan.action === 'none') return true;
  return plan.action !== 'problem' && plan.existing?.ownership !== undefined;
}
