import { type History, isAnswer } from '../load/history.js';
import type { LoneToken } from '../load/lone-token.js';
import type { House } from '../stage/house.js';

const AT_ONCE = 20;

/**
 * Asks every instance about every token, once everything works again, and records the answers. Gives how many tokens
 * that were issued and never revoked are not active, and how many questions have no answer.
 */
export async function lostTokens(
  { instances }: Pick<House, 'instances'>,
  history: History,
  tokens: readonly LoneToken[],
): Promise<number> {
  const ended = new Set<string>();
  for (const event of history.events) {
    const isClaim = event.kind === 'asked' && event.claims === true && event.answer === 'active';
    if (event.kind === 'revoked' || isClaim) ended.add(event.token);
  }
  const waiting = tokens.flatMap((token) => instances.map((instance) => ({ token, instance })));
  let lost = 0;
  const auditor = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const outcome = await history.ask(next.instance, next.token);
      const isLive = !ended.has(next.token.name) && Date.now() < next.token.expiresAtMs;
      if (!isAnswer(outcome) || (isLive && outcome === 'inactive')) lost += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, auditor));
  return lost;
}
