import type { TokenEvent } from '@vestibule/tokens/testing';

/** A time on the clock of a history. */
export interface Gap {
  readonly beginMs: number;
  readonly endMs: number;
}

/** The names of tokens about which something was written in a gap. */
export interface GapWrites {
  /** Issued in it. */
  readonly issued: ReadonlySet<string>;
  /** Revoked in it, acknowledged; those that were used are not among them. */
  readonly revoked: ReadonlySet<string>;
  /** Used in it, acknowledged. */
  readonly used: ReadonlySet<string>;
  /** All of these, and those about which something may have been written in it that was not acknowledged. */
  readonly all: ReadonlySet<string>;
}

/** What was written in a gap: acknowledged in it, or under way in it. */
export function gapWrites(events: readonly TokenEvent[], { beginMs, endMs }: Gap): GapWrites {
  const writes = {
    issued: new Set<string>(),
    revoked: new Set<string>(),
    asked: new Set<string>(),
    all: new Set<string>(),
  };
  for (const event of events) {
    const begunAtMs = event.kind === 'issued' ? event.doneAtMs : event.begunAtMs;
    if (begunAtMs > endMs || event.doneAtMs < beginMs || !isWrite(event)) continue;
    writes.all.add(event.token);
    if (event.doneAtMs <= endMs) writes[event.kind].add(event.token);
  }
  const { asked: used, ...others } = writes;
  return { ...others, used };
}

function isWrite(event: TokenEvent): boolean {
  return event.kind !== 'asked' || (event.claims === true && event.response === 'active');
}
