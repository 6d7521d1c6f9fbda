import { isReplaceableBy } from '@vestibule/clients/federation-registration';
import { isClientExpired } from '@vestibule/clients/management';
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

/** Options of a resolution. */
export interface ResolutionOptions {
  readonly profile: Profile;
  /** Whether every path is tried, for explanations. */
  readonly isExhaustive: boolean;
}

/** The context of one resolution. */
export interface OpenResolution extends ResolutionContext {
  readonly denied: DeniedEntities;
}

/** Creates the context of one resolution, with the current settings of operators; its time starts now. */
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

/** An entity to resolve. */
export interface ResolvedRelyingParty extends RelyingParty {
  /**
   * Whether its statement is a registration request, which can be used once; a published statement may be read at any
   * time.
   */
  readonly isRequest: boolean;
}

/** Determines whether an entity may register now, by {@link resolveRegistration}. */
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

/** Whether the entity itself addressed this provider, rather than publishing its statement to everyone. */
export function isAddressed({ subject: { audience }, isRequest }: ResolvedRelyingParty): boolean {
  return !isRequest || audience !== undefined;
}

/**
 * The conditions of the current registration for a new one: an older statement changes nothing, a request is used once,
 * and only a request of the entity itself replaces an earlier one.
 */
async function replacementRules(
  { registration: { clients }, clock }: FederationRegistrationDeps,
  relyingParty: ResolvedRelyingParty,
): Promise<Pick<RegistrationRules, 'notIssuedBefore' | 'registeredByIssuedAt' | 'needsAudience'>> {
  const client = await clients.findByEntity(relyingParty.subject.subject);
  if (client?.federation === undefined || isClientExpired(client, nowSeconds(clock))) return {};
  const { federation: present } = client;
  if (isReplaceableBy(present, { isAddressed: isAddressed(relyingParty) })) return {};
  const { statementIssuedAt } = present;
  return {
    needsAudience: relyingParty.isRequest && present.isAddressed,
    registeredByIssuedAt: statementIssuedAt,
    notIssuedBefore: relyingParty.isRequest ? epochSeconds(statementIssuedAt + 1) : statementIssuedAt,
  };
}
