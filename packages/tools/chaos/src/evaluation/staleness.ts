import type { TokenEvent } from '@vestibule/tokens/testing';
import { aftermathsOf } from './aftermath.js';
import { type Spread, spreadOf } from './statistics.js';

/** How long revoked tokens stayed active. */
export interface Staleness {
  /** Acknowledged revocations that were followed by a request. */
  readonly revocations: number;
  /** On the instance that revoked; absent when no instance did. */
  readonly sameNode?: Spread;
  readonly elsewhere?: Spread;
  /** At the API that follows the stream of changes. */
  readonly atApi?: Spread;
  /** At the API with the client that the guide on the stream of changes shows. */
  readonly atReference?: Spread;
  /** The precision: time from the last stale response, or from the acknowledgement, to the next request. */
  readonly unknown: Spread;
}

/** The staleness of every acknowledged revocation on every instance; absent when there was none. */
export function stalenessOf(
  events: readonly TokenEvent[],
  nodes: readonly string[],
  apis: { readonly api?: string; readonly reference?: string } = {},
): Staleness | undefined {
  const aftermaths = aftermathsOf(events, nodes);
  const unknown = spreadOf(aftermaths.map(({ unknownMs }) => unknownMs));
  if (unknown === undefined) return undefined;
  const spreadWhere = (isSameNode: boolean) =>
    spreadOf(aftermaths.filter((each) => each.isSameNode === isSameNode).map(({ staleMs }) => staleMs));
  const [sameNode, elsewhere] = [spreadWhere(true), spreadWhere(false)];
  const spreadAt = (node: string | undefined) =>
    node === undefined ? undefined : spreadOf(aftermathsOf(events, [node]).map(({ staleMs }) => staleMs));
  const [atApi, atReference] = [spreadAt(apis.api), spreadAt(apis.reference)];
  return {
    revocations: new Set(aftermaths.map(({ token }) => token)).size,
    ...(sameNode && { sameNode }),
    ...(elsewhere && { elsewhere }),
    ...(atApi && { atApi }),
    ...(atReference && { atReference }),
    unknown,
  };
}
