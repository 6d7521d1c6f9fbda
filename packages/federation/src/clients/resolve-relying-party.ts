import { isClientExpired } from '@vestibule/clients/management';
import { givesWay } from '@vestibule/clients/registration';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { DeniedEntities } from '../chains/denied-entities.js';
import type { Resolution, ResolutionContext } from '../chains/resolve-trust.js';
import { createStatementReader } from '../chains/statement-reader.js';
import type { Profile } from '../profile.js';
import {
  type RegistrationRules,
  type RelyingParty,
  resolveRegistration,
} from '../registration/resolve-registration.js';
import type { FederationRegistrationDeps } from './federation-registration-deps.js';

/** How a chain is looked for. */
export interface ResolutionOptions {
  readonly profile: Profile;
  /** Whether every path is tried, for explanations. */
  readonly isExhaustive: boolean;
}

/** The means of one resolution. */
export interface OpenResolution extends ResolutionContext {
  readonly denied: DeniedEntities;
}

/** The means of one resolution, under what operators have decided by now; its time runs from now. */
export async function openResolution(
  { clock, controls, limits, allowHosts }: FederationRegistrationDeps,
  { profile, isExhaustive }: ResolutionOptions,
): Promise<OpenResolution> {
  const { denied, statements } = await controls();
  const { fetchers, documents, cache } = statements;
  const reader = createStatementReader({
    fetch: fetchers[profile],
    documents,
    ...(cache && { cache }),
    clock,
    limits,
    rules: { profile, allowHosts },
    signal: AbortSignal.timeout(limits.maxMs),
  });
  return { reader, isExhaustive, limits, denied };
}

/** An entity whose chain is looked for. */
export interface ResolvedRelyingParty extends RelyingParty {
  /** Whether its statement asks for a registration, which it does once; what is published may be read at any time. */
  readonly isRequest: boolean;
}

/** Finds out whether an entity may register now, as {@link resolveRegistration} tells. */
export async function resolveRelyingParty(
  deps: FederationRegistrationDeps,
  relyingParty: ResolvedRelyingParty,
  context: OpenResolution,
): Promise<Resolution> {
  const { maxPathLength, requiredMarks, byAnchor, allowHosts, clock, self } = deps;
  const now = nowSeconds(clock);
  const rules: RegistrationRules = {
    self,
    anchors: await deps.anchors(),
    maxPathLength,
    requiredMarks,
    byAnchor,
    denied: context.denied,
    allowHosts,
    now,
    ...(await replacementRules(deps, relyingParty)),
  };
  return resolveRegistration(relyingParty, rules, context);
}

/** Whether the entity itself asked this provider; what it publishes it says to everyone. */
export function isAddressed({ subject: { audience }, isRequest }: ResolvedRelyingParty): boolean {
  return !isRequest || audience !== undefined;
}

/**
 * What the present registration of the entity asks of a new one: nothing undoes what was registered by a later
 * statement, a request is good for one registration, and only the entity itself replaces what it asked for.
 */
async function replacementRules(
  { registration: { clients }, clock }: FederationRegistrationDeps,
  relyingParty: ResolvedRelyingParty,
): Promise<Pick<RegistrationRules, 'notIssuedBefore' | 'registeredByIssuedAt' | 'needsAudience'>> {
  const client = await clients.findByEntity(relyingParty.subject.subject);
  if (client?.federation === undefined || isClientExpired(client, nowSeconds(clock))) return {};
  const { federation: present } = client;
  if (givesWay(present, { isAddressed: isAddressed(relyingParty) })) return {};
  const { statementIssuedAt } = present;
  return {
    needsAudience: relyingParty.isRequest && present.isAddressed,
    registeredByIssuedAt: statementIssuedAt,
    notIssuedBefore: relyingParty.isRequest ? epochSeconds(statementIssuedAt + 1) : statementIssuedAt,
  };
}
