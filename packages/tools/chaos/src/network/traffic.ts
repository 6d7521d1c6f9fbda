/** The sending side. */
export type Side = 'client' | 'server';

/** A rule for the traffic of a proxy. With `from` it applies to that direction only. */
export type Traffic =
  | { readonly kind: 'pass' }
  /** Open and new connections are reset. */
  | { readonly kind: 'refuse' }
  /** Nothing arrives before everything passes again, as if a process were stopped. */
  | { readonly kind: 'hold'; readonly from?: Side }
  /** Nothing arrives, as on a half-open connection. */
  | { readonly kind: 'drop'; readonly from?: Side }
  /** Everything arrives later, in order. */
  | { readonly kind: 'delay'; readonly ms: number; readonly jitterMs?: number; readonly from?: Side }
  | { readonly kind: 'drip'; readonly bytesPerSecond: number; readonly from?: Side }
  /** Everything arrives in blocks of at least this size, as through a gateway that buffers. */
  | { readonly kind: 'buffer'; readonly bytes: number; readonly from?: Side }
  /**
   * The chunks of an HTTP response are collected for a while, and arrive in the opposite order, twice. Chunks with one of these
   * texts, and those before them, arrive as they were sent.
   */
  | {
      readonly kind: 'shuffle';
      readonly everyMs: number;
      readonly inOrder: readonly string[];
      readonly from?: Side;
    }
  /** The connection is reset after that many bytes of a side. */
  | { readonly kind: 'cut'; readonly afterBytes: number; readonly from?: Side };

/** No fault. */
export const PASS: Traffic = { kind: 'pass' };

/** The rule that applies to one side. */
export function trafficFrom(side: Side, traffic: Traffic): Traffic {
  const isMeant = !('from' in traffic) || traffic.from === undefined || traffic.from === side;
  return isMeant ? traffic : PASS;
}
