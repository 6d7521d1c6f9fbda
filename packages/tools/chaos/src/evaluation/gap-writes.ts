import type { TokenEvent } from '@vestibule/tokens/testing';

/** An interval on the clock of a history. */
export interface Gap {
  readonly beginMs: number;
  readonly endMs: number;
}

/** The names of tokens that were written in a gap. */
export interface GapWrites {
  /** Issued in the gap. */
  readonly issued: ReadonlySet<string>;
  /** Revoked in the gap and acknowledged, without used tokens. */
  readonly revoked: ReadonlySet<string>;
  /** Used in the gap and acknowledged. */
  readonly used: ReadonlySet<string>;
  /** All of these, and tokens that may have been written in the gap without an acknowledgement. */
  readonly all: ReadonlySet<string>;
}

/** Finds the writes that were acknowledged or in progress in a gap. */
export function gapWrites(events: readonly TokenEvent[], { beginMs, endMs }: Gap): GapWrites {
  const writes = {
    issued: new Set<string>(),
    revoked: new Set<string>(),
    introspected: new Set<string>(),
    all: new Set<string>(),
  };
  for (const event of events) {
    const begunAtMs = event.kind === 'issued' ? event.doneAtMs : event.begunAtMs;
    if (begunAtMs > endMs || event.doneAtMs < beginMs || !isWrite(event)) continue;
    writes.all.add(event.token);
    if (event.doneAtMs <= endMs) writes[event.kind].add(event.token);
  }
  const { introspected: used, ...others } = writes;
  return { ...others, used };
}

function isWrite(event: TokenEvent): boolean {
  return event.kind !== 'introspected' || (event.claims === true && event.response === 'active');
}
