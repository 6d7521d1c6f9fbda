import type { TokenEvent } from '@vestibule/tokens/testing';

type Introspected = Extract<TokenEvent, { kind: 'introspected' }>;

/** Responses of one instance after one revocation. */
export interface Aftermath {
  readonly token: string;
  /** Whether this instance revoked the token. */
  readonly isSameNode: boolean;
  /** Time from the acknowledgement to the last request whose response was active; otherwise 0. */
  readonly staleMs: number;
  /**
   * Time from that request, or from the acknowledgement, to the next one, whose response was inactive: the
   * precision of `staleMs`. `Infinity` where the token was never seen inactive.
   */
  readonly unknownMs: number;
}

/** An acknowledged revocation: its time, and the instance if an instance revoked. */
interface Acknowledgement {
  readonly doneAtMs: number;
  readonly node?: string;
}

/**
 * The aftermath of the first acknowledged revocation (or use) of each token, on each instance that responded to a later
 * request.
 */
export function aftermathsOf(events: readonly TokenEvent[], nodes: readonly string[]): readonly Aftermath[] {
  const acknowledged = acknowledgementsOf(events);
  const responded = respondedOf(events);
  return [...acknowledged].flatMap(([token, { doneAtMs, node: revoker }]) =>
    nodes.flatMap((node) => {
      const after = (responded.get(`${node} ${token}`) ?? []).filter(({ begunAtMs }) => begunAtMs > doneAtMs);
      return after.length > 0 ? [{ token, isSameNode: node === revoker, ...aftermath(after, doneAtMs) }] : [];
    }),
  );
}

/** The requests that got a response, by instance and token. */
function respondedOf(events: readonly TokenEvent[]): ReadonlyMap<string, readonly Introspected[]> {
  const responded = new Map<string, Introspected[]>();
  for (const event of events) {
    if (event.kind !== 'introspected' || event.response === 'fault') continue;
    const key = `${event.node} ${event.token}`;
    const own = responded.get(key);
    if (own === undefined) responded.set(key, [event]);
    else own.push(event);
  }
  return responded;
}

function acknowledgementsOf(events: readonly TokenEvent[]): ReadonlyMap<string, Acknowledgement> {
  const acknowledged = new Map<string, Acknowledgement>();
  for (const event of events) {
    const isClaim = event.kind === 'introspected' && event.claims === true && event.response === 'active';
    if (event.kind !== 'revoked' && !isClaim) continue;
    const knownMs = acknowledged.get(event.token)?.doneAtMs ?? Number.POSITIVE_INFINITY;
    if (event.doneAtMs < knownMs) acknowledged.set(event.token, event);
  }
  return acknowledged;
}

function aftermath(
  introspected: readonly Introspected[],
  doneAtMs: number,
): Pick<Aftermath, 'staleMs' | 'unknownMs'> {
  const begunAtMs = (response: Introspected['response']) =>
    introspected.filter((event) => event.response === response).map((event) => event.begunAtMs);
  const lastActiveMs = begunAtMs('active').reduce((last, ms) => Math.max(last, ms), doneAtMs);
  const firstAfterMs = begunAtMs('inactive')
    .filter((ms) => ms >= lastActiveMs)
    .reduce((first, ms) => Math.min(first, ms), Number.POSITIVE_INFINITY);
  return { staleMs: lastActiveMs - doneAtMs, unknownMs: firstAfterMs - lastActiveMs };
}
