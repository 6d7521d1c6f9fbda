import type { TokenEvent } from '@vestibule/tokens/testing';

/** What was seen of one revocation on one instance. */
export interface Aftermath {
  /** Whether the instance itself had revoked. */
  readonly isSameNode: boolean;
  /** How long after the acknowledgement the last question was asked that was answered with active; else 0. */
  readonly staleMs: number;
  /** From that question, or from the acknowledgement, to the next one: as exact is what is known of staleness. */
  readonly unknownMs: number;
}

/**
 * The aftermath of each acknowledged revocation, a use of the token included, on each instance that was asked after it.
 */
export function aftermathsOf(events: readonly TokenEvent[], nodes: readonly string[]): readonly Aftermath[] {
  const revoked = new Map<string, { readonly doneAtMs: number; readonly node?: string }>();
  const asked = new Map<string, TokenEvent[]>();
  for (const event of events) {
    const isClaim = event.kind === 'asked' && event.claims === true && event.answer === 'active';
    if (event.kind === 'revoked' || isClaim) revoked.set(event.token, event);
    if (event.kind !== 'asked' || event.answer === 'fault') continue;
    const key = `${event.node} ${event.token}`;
    asked.set(key, [...(asked.get(key) ?? []), event]);
  }
  return [...revoked]
    .filter(([, { doneAtMs }]) => Number.isFinite(doneAtMs))
    .flatMap(([token, { doneAtMs, node: revoker }]) =>
      nodes.flatMap((node) => {
        const isSameNode = node === revoker;
        return aftermath(asked.get(`${node} ${token}`) ?? [], doneAtMs).map((seen) => ({
          isSameNode,
          ...seen,
        }));
      }),
    );
}

/** Nothing where nobody asked until the token was inactive. */
function aftermath(asked: readonly TokenEvent[], doneAtMs: number): readonly Omit<Aftermath, 'isSameNode'>[] {
  const questions = asked.flatMap((event) =>
    event.kind === 'asked' && event.begunAtMs > doneAtMs ? [event] : [],
  );
  const begunAtMs = (answer: 'active' | 'inactive') =>
    questions.filter((event) => event.answer === answer).map((event) => event.begunAtMs);
  const lastActiveMs = begunAtMs('active').reduce((last, ms) => Math.max(last, ms), doneAtMs);
  const firstAfterMs = begunAtMs('inactive')
    .filter((ms) => ms >= lastActiveMs)
    .reduce((first, ms) => Math.min(first, ms), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(firstAfterMs)) return [];
  return [{ staleMs: lastActiveMs - doneAtMs, unknownMs: firstAfterMs - lastActiveMs }];
}

/**
 * For each revocation and each instance: how long after the acknowledgement the instance was last asked in vain, in
 * milliseconds; 0 when it never said active afterwards. Revocations that nobody acknowledged are left out.
 */
export function stalenessOf(events: readonly TokenEvent[], nodes: readonly string[]): readonly number[] {
  const revokedAtMs = new Map<string, number>();
  for (const event of events) if (event.kind === 'revoked') revokedAtMs.set(event.token, event.doneAtMs);
  const lastActive = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'asked' || event.answer !== 'active') continue;
    const key = `${event.node} ${event.token}`;
    lastActive.set(key, Math.max(lastActive.get(key) ?? 0, event.begunAtMs));
  }
  return [...revokedAtMs]
    .filter(([, doneAtMs]) => Number.isFinite(doneAtMs))
    .flatMap(([token, doneAtMs]) =>
      nodes.map((node) => Math.max(0, (lastActive.get(`${node} ${token}`) ?? 0) - doneAtMs)),
    );
}
