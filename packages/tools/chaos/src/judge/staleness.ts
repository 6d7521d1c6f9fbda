import type { TokenEvent } from '@vestibule/tokens/testing';
import { aftermathsOf } from './aftermath.js';
import { type Spread, spreadOf } from './statistics.js';

/** How long revoked tokens were still active. */
export interface Staleness {
  /** Acknowledged revocations after which someone was asked. */
  readonly revocations: number;
  /** On the instance that revoked; absent where none did. */
  readonly sameNode?: Spread;
  readonly elsewhere?: Spread;
  /**
   * How exactly that is known: how long after the last stale answer, or the acknowledgement, the next question came.
   */
  readonly unknown: Spread;
}

/** The staleness of every acknowledged revocation on every instance; absent when there was none. */
export function stalenessOf(events: readonly TokenEvent[], nodes: readonly string[]): Staleness | undefined {
  const aftermaths = aftermathsOf(events, nodes);
  const unknown = spreadOf(aftermaths.map(({ unknownMs }) => unknownMs));
  if (unknown === undefined) return undefined;
  const spreadWhere = (isSameNode: boolean) =>
    spreadOf(aftermaths.filter((each) => each.isSameNode === isSameNode).map(({ staleMs }) => staleMs));
  const [sameNode, elsewhere] = [spreadWhere(true), spreadWhere(false)];
  return {
    revocations: new Set(aftermaths.map(({ token }) => token)).size,
    ...(sameNode && { sameNode }),
    ...(elsewhere && { elsewhere }),
    unknown,
  };
}
