import type { Closers } from '@vestibule/local-services';
import { openClient } from '../client/client.js';
import { startClientTraffic } from '../client/client-traffic.js';
import { spreadOf } from '../evaluation/statistics.js';
import { type Ledger, openLedger } from '../fleet/ledger.js';
import { type History, openHistory } from '../load/history.js';
import { tokenPool } from '../load/token-pool.js';
import type { Pace } from '../load/work.js';
import type { Cluster } from '../test-environment/cluster.js';
import { lostTokens } from '../trials/audit.js';
import { UNNOTICED } from '../trials/fault.js';
import { type DocumentUses, keepUsing, openDocumentUses } from './document-uses.js';
import type { DocumentWorld } from './document-world.js';

/** Requests that have nothing to do with documents, and their record. */
export interface OrdinaryLoad {
  readonly history: History;
  readonly ledger: Ledger;
  /** Authorization and token requests of a registered client. */
  readonly registered: DocumentUses;
  /** Stops the load and checks every token once more. */
  stop(): Promise<EndOfLoad>;
}

/** What the load found besides its records. */
export interface EndOfLoad {
  /** Tokens that were acknowledged and are missing. */
  readonly lost: number;
  /** Introspections without a response, also on the other instance. */
  readonly unanswered: number;
}

/** It leaves CPU time on two cores, so that requests wait for what fails and not for each other. */
const PACE: Pace = { readers: 4, readMs: 20, issuers: 8, tokens: 0, revokeMs: 0, revocationsAtOnce: 0 };
const REGISTERED_EVERY_MS = 50;

/** Registers clients, logs end-users in, issues, introspects and revokes tokens, until stopped. */
export function startOrdinaryLoad(
  cluster: Cluster,
  { registration, authorization: { gateway }, masterToken, registeredClient }: DocumentWorld,
  toEnd: Closers,
): OrdinaryLoad {
  const [history, ledger, registered, pool] = [openHistory(), openLedger(), openDocumentUses(), tokenPool()];
  let isOver = false;
  const client = openClient({ registration, authorization: gateway }, ledger, masterToken);
  const traffic = startClientTraffic(client, {
    cluster,
    history,
    pool,
    pace: PACE,
    staleMs: UNNOTICED.staleMs,
    isOver: () => isOver,
  });
  const stopUsing = keepUsing(registered, gateway, {
    urls: [registeredClient],
    everyMs: REGISTERED_EVERY_MS,
    counts: true,
  });
  const stopAll = async () => {
    isOver = true;
    await stopUsing();
    await traffic.stop();
  };
  toEnd.add(stopAll);
  return {
    history,
    ledger,
    registered,
    stop: async () => {
      await stopAll();
      const lost = await lostTokens([...cluster.instances, ...cluster.apis], history, pool.all);
      return { lost, unanswered: traffic.failures() };
    },
  };
}

/** The longest duration of a request until now, in milliseconds. */
export function slowestOrdinaryMs({ history, ledger, registered }: OrdinaryLoad): number {
  return Math.max(spreadOf(history.latenciesMs)?.max ?? 0, ledger.slowestMs, registered.slowestMs);
}
