import type { Client } from '@vestibule/clients';
import { type Clock, type Issuer, nowSeconds } from '@vestibule/protocol';
import type { LogoutCase } from './judge-logout.js';
import type { EndedClient, LogoutSession, LogoutSessions } from './logout-sessions.js';
import { type NotifiedClient, notificationPlan } from './notification-plan.js';

/** What carrying out a decision takes. */
export interface DecisionDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly sessions: Pick<LogoutSessions, 'end' | 'leave'>;
}

/** What an end-user decides about logging out of the provider too. */
export type LogoutDecision = 'accept' | 'decline';

/**
 * What became of it: the whole session ended, it ended at the requesting client, nothing ended, or there was nothing to
 * end any more.
 */
export type LogoutOutcome =
  | { readonly kind: 'ended' | 'left'; readonly clients: readonly NotifiedClient[] }
  | { readonly kind: 'kept' | 'gone' };

/**
 * Carries out what an end-user decided. Accepting ends the session in this browser and tells every client of it, the
 * requesting one included. Declining ends it at the requesting client alone, unless its hint is about another login;
 * that other login is never touched.
 */
export async function decideLogout(
  deps: DecisionDeps,
  judged: LogoutCase & { readonly session: LogoutSession },
  decision: LogoutDecision,
): Promise<LogoutOutcome> {
  const { session, client, hint } = judged;
  const now = nowSeconds(deps.clock);
  if (decision === 'accept') {
    const told = await deps.sessions.end(session, now);
    return told === undefined ? { kind: 'gone' } : { kind: 'ended', clients: plan(deps, told, client) };
  }
  if (client === undefined || hint === 'another_login') return { kind: 'kept' };
  const told = await deps.sessions.leave(session, client.id, now);
  return told === undefined ? { kind: 'kept' } : { kind: 'left', clients: plan(deps, told, client) };
}

/**
 * The client that asks comes first, so that the limit of pages never leaves it out. Without any channel it is left out
 * of the plan: it sent the end-user here to log out, and logs them out itself.
 */
function plan(
  { issuer }: DecisionDeps,
  clients: readonly EndedClient[],
  asking: Client | undefined,
): readonly NotifiedClient[] {
  const isAsking = ({ clientId }: Pick<EndedClient, 'clientId'>) => clientId === asking?.id;
  const others = clients.filter((client) => !isAsking(client));
  const planned = notificationPlan([...clients.filter(isAsking), ...others], issuer);
  const hasChannel = ({ page, deliveryId }: NotifiedClient) => page !== undefined || deliveryId !== undefined;
  return planned.filter((client) => !isAsking(client) || hasChannel(client));
}
