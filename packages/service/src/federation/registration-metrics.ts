import { FEDERATION_REASONS, FederationFailure } from '@vestibule/federation';
import { oncePerRegistry } from '@vestibule/http/observability';
import { DomainError } from '@vestibule/protocol';
import { Counter, type Registry } from 'prom-client';

const KINDS = ['explicit', 'automatic'] as const;

/** Kind of federation registration. */
export type RegistrationKind = (typeof KINDS)[number];

/** Counts federation registrations and the fetches for them. */
export interface FederationRegistrationMetrics {
  /** Counts a registration attempt; passes on its result or error. */
  registration<Result>(kind: RegistrationKind, work: Promise<Result>): Promise<Result>;
  /** Counts a document fetch from another entity; passes on its text. */
  fetch(work: Promise<string | undefined>): Promise<string | undefined>;
}

/** Counts nothing. */
export const NO_FEDERATION_REGISTRATION_METRICS: FederationRegistrationMetrics = {
  registration: (_kind, work) => work,
  fetch: (work) => work,
};

/**
 * Metrics of federation registration, shared by all services of a process. Labels never contain entity identifiers: a
 * reason is one of `FEDERATION_REASONS`, or the error code if there is none.
 */
export const federationRegistrationMetrics = oncePerRegistry((registry): FederationRegistrationMetrics => {
  const { registrations, refusals, fetches } = openCounters(registry);
  return {
    registration: async (kind, work) => {
      try {
        const result = await work;
        registrations.inc({ kind, outcome: 'registered' });
        return result;
      } catch (error) {
        const reason = refusalReason(error);
        registrations.inc({ kind, outcome: reason === undefined ? 'failed' : 'refused' });
        if (reason !== undefined) refusals.inc({ kind, reason });
        throw error;
      }
    },
    fetch: async (work) => {
      const text = await work.catch((error: unknown) => {
        fetches.inc({ outcome: 'overloaded' });
        throw error;
      });
      fetches.inc({ outcome: text === undefined ? 'unresolvable' : 'fetched' });
      return text;
    },
  };
});

/** Creates the counters with all known label values at zero. */
function openCounters(registry: Registry) {
  const registers = [registry];
  const registrations = new Counter({
    name: 'federation_registrations_total',
    help: 'Federation registration attempts by outcome: `registered`, `refused`, or `failed` because of an internal error.',
    labelNames: ['kind', 'outcome'] as const,
    registers,
  });
  const refusals = new Counter({
    name: 'federation_refusals_total',
    help: 'Refused federation registrations by reason.',
    labelNames: ['kind', 'reason'] as const,
    registers,
  });
  const fetches = new Counter({
    name: 'federation_statement_fetches_total',
    help: 'Requests to other entities during trust chain resolution (statements, trust mark statuses, signed key sets), by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const kind of KINDS) {
    for (const outcome of ['registered', 'refused', 'failed']) registrations.inc({ kind, outcome }, 0);
    for (const reason of FEDERATION_REASONS) refusals.inc({ kind, reason }, 0);
  }
  for (const outcome of ['fetched', 'unresolvable', 'overloaded']) fetches.inc({ outcome }, 0);
  return { registrations, refusals, fetches };
}

/** Returns the reason of a refusal from a closed list; `undefined` for an internal error. */
export function refusalReason(error: unknown): string | undefined {
  if (!(error instanceof DomainError)) return undefined;
  return error.cause instanceof FederationFailure ? error.cause.reason : error.code;
}
