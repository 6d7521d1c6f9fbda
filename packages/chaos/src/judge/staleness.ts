import type { TokenEvent } from '@vestibule/tokens/testing';

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
