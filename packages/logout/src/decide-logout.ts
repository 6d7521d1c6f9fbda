import type { Client } from '@vestibule/clients';
import { type Clock, type Issuer, nowSeconds } from '@vestibule/protocol';
import type { LogoutCase } from './evaluate-logout.js';
import type { EndedClient, LogoutSession, LogoutSessions } from './logout-sessions.js';
import { type NotifiedClient, notificationPlan } from './notification-plan.js';

/** Dependencies of {@link decideLogout}. */
export interface DecisionDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly sessions: Pick<LogoutSessions, 'end' | 'leave'>;
}

/** The end-user's decision about logging out of the provider too. */
export type LogoutDecision = 'accept' | 'decline';

/**
 * The outcome: the whole session ended, it ended at the requesting client, nothing ended, or there was no session any
 * more.
 */
export type LogoutOutcome =
  | { readonly kind: 'ended' | 'left'; readonly clients: readonly NotifiedClient[] }
  | { readonly kind: 'kept' | 'gone' };

/**
 * Carries out the decision of an end-user. `accept` ends the session of this browser and notifies every client of it,
 * the requesting one included. `decline` ends it at the requesting client alone, unless the hint belongs to another
 * session; that other session is never touched.
 */
export async function decideLogout(
  deps: DecisionDeps,
  evaluated: LogoutCase & { readonly session: LogoutSession },
  decision: LogoutDecision,
): Promise<LogoutOutcome> {
  const { session, client } = evaluated;
  const now = nowSeconds(deps.clock);
  if (decision === 'accept') {
    const ended = await deps.sessions.end(session, now);
    return ended === undefined ? { kind: 'gone' } : { kind: 'ended', clients: plan(deps, ended, client) };
  }
  if (client === undefined || evaluated.hint === 'another_session') return { kind: 'kept' };
  const ended = await deps.sessions.leave(session, client.id, now);
  return ended === undefined ? { kind: 'kept' } : { kind: 'left', clients: plan(deps, ended, client) };
}

/**
 * The requesting client comes first, so that the limit of pages never excludes it. If it has neither channel it is left
 * out: it sent the end-user here to log out, and ends its own session.
 */
function plan(
  { issuer }: DecisionDeps,
  clients: readonly EndedClient[],
  requester: Client | undefined,
): readonly NotifiedClient[] {
  const isRequester = ({ clientId }: Pick<EndedClient, 'clientId'>) => clientId === requester?.id;
  const others = clients.filter((client) => !isRequester(client));
  const planned = notificationPlan([...clients.filter(isRequester), ...others], issuer);
  const hasChannel = ({ page, deliveryId }: NotifiedClient) => page !== undefined || deliveryId !== undefined;
  return planned.filter((client) => !isRequester(client) || hasChannel(client));
}
