/** Something that was done to one token, on one clock for all who took part. */
export type TokenEvent =
  | {
      readonly kind: 'issued';
      readonly token: string;
      readonly doneAtMs: number;
      readonly expiresAtMs: number;
    }
  /**
   * `node` is the instance that revoked; absent when it was someone else. Of a revocation that nobody acknowledged,
   * which may have been carried out, the end is `Infinity`.
   */
  | {
      readonly kind: 'revoked';
      readonly token: string;
      readonly begunAtMs: number;
      readonly doneAtMs: number;
      readonly node?: string;
    }
  | {
      readonly kind: 'asked';
      readonly token: string;
      readonly node: string;
      readonly begunAtMs: number;
      readonly doneAtMs: number;
      readonly response: 'active' | 'inactive' | 'fault';
      /** Whether the question was to use the token up. */
      readonly claims?: boolean;
    };

type Asked = Extract<TokenEvent, { kind: 'asked' }>;
type Revoked = Extract<TokenEvent, { kind: 'revoked' }>;

/** What answers may be. */
export interface HistoryBounds {
  /** How long after its revocation a token may still be active on other nodes than the one that revoked it. */
  readonly staleMs: number;
  /** How long after its expiry a token may still be active; not judged when absent. */
  readonly expiryMs?: number;
}

/** A promise that a history breaks. */
export interface Violation {
  readonly rule: 'stale' | 'outlived' | 'resurrected' | 'falsely inactive' | 'claimed twice';
  readonly token: string;
  readonly event: TokenEvent;
  /** How late, in milliseconds, where that means something. */
  readonly byMs?: number;
}

/**
 * Judges a history. Stale: active to a question that was asked later than the bound after the revocation was
 * acknowledged, or at all after it on the node that revoked. Outlived: active later than the bound after its expiry.
 * Resurrected: active on a node that had said inactive, after a revocation, before the question was asked. Falsely
 * inactive: said of a token that was issued before the question and neither expired nor being revoked before the
 * response. Claimed twice: active to two questions that use up.
 */
export function judgeHistory(events: readonly TokenEvent[], bounds: HistoryBounds): readonly Violation[] {
  const byToken = new Map<string, TokenEvent[]>();
  for (const event of events) {
    const own = byToken.get(event.token);
    if (own === undefined) byToken.set(event.token, [event]);
    else own.push(event);
  }
  return [...byToken].flatMap(([token, own]) => judgeToken(token, own, bounds));
}

/** How old each active response was that came after a revocation had been acknowledged, by node that answered. */
export function stalenessMs(events: readonly TokenEvent[]): readonly number[] {
  const revoked = new Map(events.filter(isRevoked).map((event) => [event.token, event]));
  return events.filter(isAsked).flatMap((event) => {
    const doneAtMs = revoked.get(event.token)?.doneAtMs;
    return doneAtMs !== undefined && event.response === 'active' && event.begunAtMs > doneAtMs
      ? [event.begunAtMs - doneAtMs]
      : [];
  });
}

function judgeToken(token: string, events: readonly TokenEvent[], bounds: HistoryBounds): Violation[] {
  const asked = events.filter(isAsked);
  const revoked = [...events.filter(isRevoked), ...asked.filter(isClaim).map(asRevocation)];
  const claims = asked.filter(isClaim).slice(1);
  return [
    ...revoked.flatMap((revocation) => staleResponses(token, revocation, asked, bounds)),
    ...outlivedResponses(token, events, asked, bounds),
    ...resurrections(token, revoked, asked),
    ...falselyInactive(token, events, revoked, asked),
    ...claims.map((event): Violation => ({ rule: 'claimed twice', token, event })),
  ];
}

function staleResponses(
  token: string,
  revocation: Revoked,
  asked: readonly Asked[],
  { staleMs }: HistoryBounds,
): Violation[] {
  return asked.flatMap((event) => {
    const allowedMs = event.node === revocation.node ? 0 : staleMs;
    const byMs = event.begunAtMs - revocation.doneAtMs - allowedMs;
    return event.response === 'active' && byMs > 0 ? [{ rule: 'stale', token, event, byMs }] : [];
  });
}

function outlivedResponses(
  token: string,
  events: readonly TokenEvent[],
  asked: readonly Asked[],
  { expiryMs = Number.POSITIVE_INFINITY }: HistoryBounds,
): Violation[] {
  const issued = events.find((event) => event.kind === 'issued');
  if (issued?.kind !== 'issued') return [];
  return asked.flatMap((event) => {
    const byMs = event.begunAtMs - issued.expiresAtMs - expiryMs;
    return event.response === 'active' && byMs > 0 ? [{ rule: 'outlived', token, event, byMs }] : [];
  });
}

function resurrections(token: string, revoked: readonly Revoked[], asked: readonly Asked[]): Violation[] {
  const begunAtMs = Math.min(...revoked.map((event) => event.begunAtMs));
  const dead = asked.filter((event) => event.response === 'inactive' && event.doneAtMs >= begunAtMs);
  return asked.flatMap((event) => {
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
  asked: readonly Asked[],
): Violation[] {
  const issued = events.find((event) => event.kind === 'issued');
  if (issued?.kind !== 'issued') return [];
  const revokedFromMs = Math.min(...revoked.map((event) => event.begunAtMs));
  return asked.flatMap((event) => {
    const isLive =
      event.begunAtMs >= issued.doneAtMs && event.doneAtMs < Math.min(revokedFromMs, issued.expiresAtMs);
    return event.response === 'inactive' && isLive ? [{ rule: 'falsely inactive', token, event }] : [];
  });
}

function isAsked(event: TokenEvent): event is Asked {
  return event.kind === 'asked';
}

function isRevoked(event: TokenEvent): event is Revoked {
  return event.kind === 'revoked';
}

/** Whether a question used the token up. */
function isClaim(event: Asked): boolean {
  return event.claims === true && event.response === 'active';
}

function asRevocation({ token, node, begunAtMs, doneAtMs }: Asked): Revoked {
  return { kind: 'revoked', token, node, begunAtMs, doneAtMs };
}
