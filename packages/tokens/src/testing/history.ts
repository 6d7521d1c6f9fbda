/** An event of a token, on one clock for all nodes. */
export type TokenEvent =
  | {
      readonly kind: 'issued';
      readonly token: string;
      readonly doneAtMs: number;
      readonly expiresAtMs: number;
    }
  /**
   * `node` is the instance that revoked; absent for another program. The end of an unacknowledged revocation, which may
   * have been executed, is `Infinity`.
   */
  | {
      readonly kind: 'revoked';
      readonly token: string;
      readonly begunAtMs: number;
      readonly doneAtMs: number;
      readonly node?: string;
    }
  | {
      readonly kind: 'introspected';
      readonly token: string;
      readonly node: string;
      readonly begunAtMs: number;
      readonly doneAtMs: number;
      readonly response: 'active' | 'inactive' | 'fault';
      /** Whether the request was to consume the token. */
      readonly claims?: boolean;
    };

type Introspected = Extract<TokenEvent, { kind: 'introspected' }>;
type Revoked = Extract<TokenEvent, { kind: 'revoked' }>;

/** Bounds of correct responses. */
export interface HistoryBounds {
  /** How long after its revocation a token may still be active on other nodes than the one that revoked it. */
  readonly staleMs: number;
  /** How long after its expiry a token may still be active; not evaluated when absent. */
  readonly expiryMs?: number;
}

/** A violation in a history. */
export interface Violation {
  readonly rule: 'stale' | 'outlived' | 'resurrected' | 'falsely inactive' | 'claimed twice';
  readonly token: string;
  readonly event: TokenEvent;
  /** How late, in milliseconds, if that applies. */
  readonly byMs?: number;
}

/**
 * Finds violations in a history:
 * - stale: active for a request later than the bound after the acknowledged revocation, or at any time after it on the
 *   revoking node;
 * - outlived: active later than the bound after the expiry;
 * - resurrected: active on a node that had responded inactive, after a revocation, before the request;
 * - falsely inactive: inactive for a token that was issued before the request, and neither expired nor being revoked
 *   before the response;
 * - claimed twice: active for two requests that consume.
 */
export function evaluateHistory(events: readonly TokenEvent[], bounds: HistoryBounds): readonly Violation[] {
  const byToken = new Map<string, TokenEvent[]>();
  for (const event of events) {
    const own = byToken.get(event.token);
    if (own === undefined) byToken.set(event.token, [event]);
    else own.push(event);
  }
  return [...byToken].flatMap(([token, own]) => evaluateToken(token, own, bounds));
}

/** Returns the delay after the acknowledged revocation of each later active response. */
export function stalenessMs(events: readonly TokenEvent[]): readonly number[] {
  const revoked = new Map(events.filter(isRevoked).map((event) => [event.token, event]));
  return events.filter(isIntrospected).flatMap((event) => {
    const doneAtMs = revoked.get(event.token)?.doneAtMs;
    return doneAtMs !== undefined && event.response === 'active' && event.begunAtMs > doneAtMs
      ? [event.begunAtMs - doneAtMs]
      : [];
  });
}

function evaluateToken(token: string, events: readonly TokenEvent[], bounds: HistoryBounds): Violation[] {
  const introspections = events.filter(isIntrospected);
  const revoked = [...events.filter(isRevoked), ...introspections.filter(isClaim).map(asRevocation)];
  const claims = introspections.filter(isClaim).slice(1);
  return [
    ...revoked.flatMap((revocation) => staleResponses(token, revocation, introspections, bounds)),
    ...outlivedResponses(token, events, introspections, bounds),
    ...resurrections(token, revoked, introspections),
    ...falselyInactive(token, events, revoked, introspections),
    ...claims.map((event): Violation => ({ rule: 'claimed twice', token, event })),
  ];
}

function staleResponses(
  token: string,
  revocation: Revoked,
  introspections: readonly Introspected[],
  { staleMs }: HistoryBounds,
): Violation[] {
  return introspections.flatMap((event) => {
    const allowedMs = event.node === revocation.node ? 0 : staleMs;
    const byMs = event.begunAtMs - revocation.doneAtMs - allowedMs;
    return event.response === 'active' && byMs > 0 ? [{ rule: 'stale', token, event, byMs }] : [];
  });
}

function outlivedResponses(
  token: string,
  events: readonly TokenEvent[],
  introspections: readonly Introspected[],
  { expiryMs = Number.POSITIVE_INFINITY }: HistoryBounds,
): Violation[] {
  const issued = events.find((event) => event.kind === 'issued');
  if (issued?.kind !== 'issued') return [];
  return introspections.flatMap((event) => {
    const byMs = event.begunAtMs - issued.expiresAtMs - expiryMs;
    return event.response === 'active' && byMs > 0 ? [{ rule: 'outlived', token, event, byMs }] : [];
  });
}

function resurrections(
  token: string,
  revoked: readonly Revoked[],
  introspections: readonly Introspected[],
): Violation[] {
  const begunAtMs = Math.min(...revoked.map((event) => event.begunAtMs));
  const dead = introspections.filter((event) => event.response === 'inactive' && event.doneAtMs >= begunAtMs);
  return introspections.flatMap((event) => {
    const isResurrection = dead.some(
      ({ node, doneAtMs }) => node === event.node && doneAtMs < event.begunAtMs,
    );
    return event.response === 'active' && isResurrection ? [{ rule: 'resurrected', token, event }] : [];
  });
}

function falselyInactive(
  token: string,
  events: readonly TokenEvent[],
  revoked: readonly Revoked[],
  introspections: readonly Introspected[],
): Violation[] {
  const issued = events.find((event) => event.kind === 'issued');
  if (issued?.kind !== 'issued') return [];
  const revokedFromMs = Math.min(...revoked.map((event) => event.begunAtMs));
  return introspections.flatMap((event) => {
    const isLive =
      event.begunAtMs >= issued.doneAtMs && event.doneAtMs < Math.min(revokedFromMs, issued.expiresAtMs);
    return event.response === 'inactive' && isLive ? [{ rule: 'falsely inactive', token, event }] : [];
  });
}

function isIntrospected(event: TokenEvent): event is Introspected {
  return event.kind === 'introspected';
}

function isRevoked(event: TokenEvent): event is Revoked {
  return event.kind === 'revoked';
}

/** Whether a request consumed the token. */
function isClaim(event: Introspected): boolean {
  return event.claims === true && event.response === 'active';
}

function asRevocation({ token, node, begunAtMs, doneAtMs }: Introspected): Revoked {
  return { kind: 'revoked', token, node, begunAtMs, doneAtMs };
}
