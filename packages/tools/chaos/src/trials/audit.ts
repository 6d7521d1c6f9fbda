import { type Checker, type History, isResponse, type Outcome } from '../load/history.js';
import type { IsolatedToken } from '../load/isolated-token.js';

const AT_ONCE = 20;

/** A token and the response of an instance or an API. */
export interface Audited {
  readonly token: IsolatedToken;
  readonly outcome: Outcome;
  /** Whether it had expired when the response came. */
  readonly hasExpired: boolean;
}

/** Has every token checked by every instance or API, a second time without a response, and records the responses. */
export async function auditTokens(
  checkers: readonly Checker[],
  history: History,
  tokens: readonly IsolatedToken[],
): Promise<readonly Audited[]> {
  const audited: Audited[] = [];
  const waiting = tokens.flatMap((token) => checkers.map((checker) => ({ token, checker })));
  const auditor = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { token, checker } = next;
      const first = await history.introspect(checker, token);
      const outcome = isResponse(first) ? first : await history.introspect(checker, token);
      audited.push({ token, outcome, hasExpired: Date.now() >= token.expiresAtMs });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, auditor));
  return audited;
}

/**
 * Has every token checked once everything works again. Gives the number of issued, never revoked tokens that are not
 * active, and of those without a response to a second request.
 */
export async function lostTokens(
  checkers: readonly Checker[],
  history: History,
  tokens: readonly IsolatedToken[],
): Promise<number> {
  const ended = endedTokens(history.events);
  const audited = await auditTokens(checkers, history, tokens);
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
