/** Who sends. */
export type Side = 'client' | 'server';

/** What a proxy does with what passes through it. With `from` it is done to what that side sends alone. */
export type Traffic =
  | { readonly kind: 'pass' }
  /** Open connections are reset and new ones too. */
  | { readonly kind: 'refuse' }
  /** Nothing arrives before everything passes again, as if a process stood still. */
  | { readonly kind: 'hold'; readonly from?: Side }
  /** Nothing arrives at all, as on a half-open connection. */
  | { readonly kind: 'drop'; readonly from?: Side }
  /** Everything arrives later, in its order. */
  | { readonly kind: 'delay'; readonly ms: number; readonly jitterMs?: number; readonly from?: Side }
  | { readonly kind: 'drip'; readonly bytesPerSecond: number; readonly from?: Side }
  /** The connection is reset once a side has sent so much. */
  | { readonly kind: 'cut'; readonly afterBytes: number; readonly from?: Side };

/** Nothing is done. */
export const PASS: Traffic = { kind: 'pass' };

/** What is done to one side. */
export function trafficFrom(side: Side, traffic: Traffic): Traffic {
  const isMeant = !('from' in traffic) || traffic.from === undefined || traffic.from === side;
  return isMeant ? traffic : PASS;
}
