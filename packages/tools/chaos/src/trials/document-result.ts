import type { DocumentHost } from '../documents/document-host.js';
import type { DocumentUses } from '../documents/document-uses.js';
import { DOCUMENT_SECONDS, type DocumentWorld } from '../documents/document-world.js';
import type { KilledHolders } from '../documents/killed-holders.js';
import { type EndOfLoad, type OrdinaryLoad, slowestOrdinaryMs } from '../documents/ordinary-load.js';
import { type DocumentEvent, documentViolations } from '../evaluation/document-verdict.js';
import { repeatedFetches } from '../evaluation/repeated-fetches.js';
import { verdictOn } from '../evaluation/verdict.js';
import { UNNOTICED } from './fault.js';
import { missedLimits } from './missed-limits.js';
import type { TrialResult } from './trial.js';

/** Everything that was recorded while hosts of documents failed. */
export interface DocumentRecording {
  readonly world: DocumentWorld;
  readonly load: OrdinaryLoad;
  readonly end: EndOfLoad;
  /** Uses of documents that were known before their hosts failed. */
  readonly documents: DocumentUses;
  /** Uses of unknown documents of failing hosts. */
  readonly flood: DocumentUses;
  readonly killed: KilledHolders;
  readonly withdrawn: readonly { readonly url: string; readonly doneAtMs: number }[];
  /** From when on a host sent something else: a part of the document, since it stated too short a length. */
  readonly spoiled: readonly { readonly url: string; readonly doneAtMs: number }[];
  readonly grownBytes: number;
  readonly recoveryMs: number;
  /** Whether the hosts failed for longer than a document may be used without them. */
  readonly isOutlasted: boolean;
}

const TIMES = { lifetimeMs: DOCUMENT_SECONDS.lifetime * 1_000, staleMs: DOCUMENT_SECONDS.stale * 1_000 };
/** A document is validated again in the last fifth of its lifetime, and times are recorded in whole seconds. */
const APART_MS = TIMES.lifetimeMs * 0.8 - 1_000;
/** The deadline of a fetch, the wait for that of another instance, and the delay of refusals. */
const REFUSED_WITHIN_MS = 4_500;
/** The lease of a process that was killed, and a fetch. */
const TAKEOVER_WITHIN_MS = 13_000;
/** Requests to one host at a time, of three processes. */
const MAX_CONNECTIONS = 3 * 4;
/** A fetch that began before its host recovered lasts until its deadline; then a refusal counts for at most two seconds. */
const RECOVERED_WITHIN_MS = 5_000;
const MAX_GROWN_BYTES = 64 * 2 ** 20;

/** Evaluates a recording: guarantees of tokens and of documents together, and limits. */
export function documentResult(recording: DocumentRecording): TrialResult {
  const { world, load, end, documents, flood, killed, grownBytes, recoveryMs } = recording;
  const hosts = [world.good, world.withdrawing, ...world.failing.values()];
  const events = eventsOf(hosts, recording);
  const ofTokens = verdictOn(load.history.events, UNNOTICED.staleMs, end.lost);
  const ofDocuments = documentViolations(events, TIMES);
  const measured = {
    requests:
      load.history.latenciesMs.length + load.ledger.requests + load.registered.requests + documents.requests,
    failures: end.unanswered + load.ledger.failures + load.registered.unanswered + documents.unanswered,
    slowestMs: Math.max(slowestOrdinaryMs(load), documents.slowestMs),
    ...(ofTokens.staleness && { staleness: ofTokens.staleness }),
    violations: {
      stale: ofTokens.violations.stale + ofDocuments.stale,
      resurrected: ofTokens.violations.resurrected + ofDocuments.resurrected,
      falselyInactive: ofTokens.violations.falselyInactive + ofDocuments.falselyInactive,
      claimedTwice: ofTokens.violations.claimedTwice,
      lost: ofTokens.violations.lost,
    },
    recoveryMs,
  };
  const seen = {
    repeated: repeatedFetches(
      hosts.flatMap(({ fetches }) => fetches),
      {
        apartMs: APART_MS,
        killsAtMs: killed.killsAtMs,
      },
    ),
    connections: Math.max(...hosts.map(({ mostConnections }) => mostConnections)),
    takeoverMs: Math.max(...killed.takeoversMs),
    grownMegabytes: Math.round(grownBytes / 2 ** 20),
  };
  const limits: readonly (readonly [boolean, string])[] = [
    [load.ledger.failures > 0, `requests failed: ${load.ledger.examples.join('; ')}`],
    [load.registered.events.some(isRefused), 'a registered client was refused'],
    [seen.repeated > 0, `${seen.repeated} fetches of documents that another fetch covered`],
    [killed.refused > 0, 'a stored document was refused after a kill'],
    [seen.takeoverMs > TAKEOVER_WITHIN_MS, `a takeover took longer than ${TAKEOVER_WITHIN_MS} ms`],
    [flood.unanswered > 0, `${flood.unanswered} requests with unknown documents failed`],
    [flood.events.some((event) => !isRefused(event)), 'an unknown document of a failing host was accepted'],
    [flood.slowestMs > REFUSED_WITHIN_MS, `a refusal took longer than ${REFUSED_WITHIN_MS} ms`],
    [seen.connections > MAX_CONNECTIONS, `more than ${MAX_CONNECTIONS} connections to one host`],
    [hosts.some((host) => host.connections() > 0), 'connections to a host stayed open'],
    [grownBytes > MAX_GROWN_BYTES, `a process grew by ${seen.grownMegabytes} MB`],
    [recording.isOutlasted && !wereRefused(recording), 'documents of failing hosts were never refused'],
  ];
  return {
    ...measured,
    evidence: ofTokens.evidence,
    remarks: [
      `${flood.requests} requests with unknown documents of failing hosts, each refused within ${Math.round(flood.slowestMs)} ms`,
      `at most ${seen.connections} connections to a host`,
      `${killed.killsAtMs.length} kills, taken over within ${Math.round(seen.takeoverMs)} ms`,
      `processes grew by ${seen.grownMegabytes} MB`,
    ],
    problems: [
      ...missedLimits(measured, { ...UNNOTICED, recoveryMs: RECOVERED_WITHIN_MS }),
      ...limits.flatMap(([isMissed, sentence]) => (isMissed ? [sentence] : [])),
    ],
  };
}

function eventsOf(
  hosts: readonly DocumentHost[],
  { documents, withdrawn, spoiled }: DocumentRecording,
): readonly DocumentEvent[] {
  const served = hosts.flatMap(({ fetches }) =>
    fetches.flatMap(({ url, begunAtMs, servedAtMs }) =>
      servedAtMs === undefined ? [] : [{ kind: 'served', url, begunAtMs, doneAtMs: servedAtMs } as const],
    ),
  );
  return [
    ...served,
    ...withdrawn.map((each) => ({ kind: 'withdrawn', ...each }) as const),
    ...spoiled.map((each) => ({ kind: 'spoiled', ...each }) as const),
    ...documents.events,
  ];
}

function isRefused(event: DocumentEvent): boolean {
  return event.kind === 'used' && !event.isAccepted;
}

/** Whether a document of each failing host was refused, so that its time was over. */
function wereRefused({ world, documents }: DocumentRecording): boolean {
  return [...world.failing.values()].every(({ host }) =>
    documents.events.some((event) => isRefused(event) && new URL(event.url).host === host),
  );
}
