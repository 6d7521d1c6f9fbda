import { isClientExpired } from '@vestibule/clients';
import {
  type Applicant,
  createStatementReader,
  type Dialect,
  type RegistrationRules,
  type Resolution,
  type ResolutionContext,
  resolveRegistration,
} from '@vestibule/federation';
import { type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { Enrolment } from './enrolment.js';

/** How a chain is looked for. */
export interface ResolutionOptions {
  readonly dialect: Dialect;
  /** Whether every path is tried, for explanations. */
  readonly isExhaustive: boolean;
}

/** The means of one resolution; its time runs from now. */
export function openResolution(
  { clock, fetchers, cache, limits, allowHosts }: Enrolment,
  { dialect, isExhaustive }: ResolutionOptions,
): ResolutionContext {
  const reader = createStatementReader({
    fetch: fetchers[dialect],
    ...(cache && { cache }),
    clock,
    limits,
    rules: { dialect, allowHosts },
    signal: AbortSignal.timeout(limits.maxMs),
  });
  return { reader, isExhaustive, limits };
}

/** An entity whose chain is looked for. */
export interface ResolvedApplicant extends Applicant {
  /** Whether its statement asks for a registration, which it does once; what is published may be read at any time. */
  readonly isRequest: boolean;
}

/** Finds out whether an entity may register now, as {@link resolveRegistration} tells. */
export async function resolveApplicant(
  enrolment: Enrolment,
  applicant: ResolvedApplicant,
  context: ResolutionContext,
): Promise<Resolution> {
  const { maxPathLength, requiredMarks, byAnchor, allowHosts, clock, self } = enrolment;
  const now = nowSeconds(clock);
  const notIssuedBefore = await earliestIssue(enrolment, applicant, now);
  const rules: RegistrationRules = {
    self,
    anchors: await enrolment.anchors(),
    maxPathLength,
    requiredMarks,
    byAnchor,
    allowHosts,
    now,
    ...(notIssuedBefore !== undefined && { notIssuedBefore }),
  };
  return resolveRegistration(applicant, rules, context);
}

/** Nothing undoes what was registered by a later statement, and a request is good for one registration. */
async function earliestIssue(
  { registration: { clients } }: Enrolment,
  { subject: { subject }, isRequest }: ResolvedApplicant,
  now: EpochSeconds,
): Promise<EpochSeconds | undefined> {
  const client = await clients.findByEntity(subject);
  if (client?.federation === undefined || isClientExpired(client, now)) return undefined;
  const { statementIssuedAt } = client.federation;
  return isRequest ? epochSeconds(statementIssuedAt + 1) : statementIssuedAt;
}
