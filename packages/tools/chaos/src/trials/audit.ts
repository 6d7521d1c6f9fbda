import { type History, isResponse, type Outcome } from '../load/history.js';
import type { IsolatedToken } from '../load/isolated-token.js';
import type { Cluster } from '../test-environment/cluster.js';

const AT_ONCE = 20;

/** A token and the response of an instance. */
export interface Audited {
  readonly token: IsolatedToken;
  readonly outcome: Outcome;
  /** Whether it had expired when the response came. */
  readonly hasExpired: boolean;
}

/** Introspects every token on every instance and records the responses. */
export async function auditTokens(
  { instances }: Pick<Cluster, 'instances'>,
  history: History,
  tokens: readonly IsolatedToken[],
): Promise<readonly Audited[]> {
  const audited: Audited[] = [];
  const waiting = tokens.flatMap((token) => instances.map((instance) => ({ token, instance })));
  const auditor = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { token, instance } = next;
      const outcome = await history.introspect(instance, token);
      audited.push({ token, outcome, hasExpired: Date.now() >= token.expiresAtMs });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, auditor));
  return audited;
}

/**
 * Introspects every token once everything works again. Gives the number of issued, never revoked tokens that are not
 * active, and of requests without a response.
 */
export async function lostTokens(
  cluster: Pick<Cluster, 'instances'>,
  history: History,
  tokens: readonly IsolatedToken[],
): Promise<number> {
  const ended = endedTokens(history.events);
  const audited = await auditTokens(cluster, history, tokens);
  const isMissing = ({ token, outcome, hasExpired }: Audited) =>
    outcome === 'inactive' && !hasExpired && !ended.has(token.name);
  return audited.filter((each) => !isResponse(each.outcome) || isMissing(each)).length;
}

/** The names of tokens that were revoked or used, or may have been. */
export function endedTokens(events: History['events']): ReadonlySet<string> {
  const isEnd = (event: History['events'][number]) =>
    event.kind === 'revoked' ||
    (event.kind === 'introspected' && event.claims === true && event.response === 'active');
  return new Set(events.filter(isEnd).map(({ token }) => token));
}
