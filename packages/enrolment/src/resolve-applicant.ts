import {
  type Applicant,
  createStatementReader,
  type Dialect,
  type RegistrationRules,
  type Resolution,
  type ResolutionContext,
  resolveRegistration,
} from '@vestibule/federation';
import { nowSeconds } from '@vestibule/protocol';
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

/** Finds out whether an entity may register now, as {@link resolveRegistration} tells. */
export async function resolveApplicant(
  enrolment: Enrolment,
  applicant: Applicant,
  context: ResolutionContext,
): Promise<Resolution> {
  const { anchors, maxPathLength, requiredMarks, allowHosts, clock, self, registration } = enrolment;
  const { subject } = applicant.subject;
  const registered = (await registration.clients.findByEntity(subject))?.federation;
  const rules: RegistrationRules = {
    self,
    anchors,
    maxPathLength,
    requiredMarks,
    allowHosts,
    now: nowSeconds(clock),
    ...(registered && { registeredStatementIssuedAt: registered.statementIssuedAt }),
  };
  return resolveRegistration(applicant, rules, context);
}
