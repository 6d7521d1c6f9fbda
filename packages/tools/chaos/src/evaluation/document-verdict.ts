import { byUrl } from '../documents/by-url.js';

/** What happened to a document, with times on one monotonic clock. */
export type DocumentEvent =
  /** The host sent the document. */
  | { readonly kind: 'served'; readonly url: string; readonly begunAtMs: number; readonly doneAtMs: number }
  /** From now on the host says that there is no document. */
  | { readonly kind: 'withdrawn'; readonly url: string; readonly doneAtMs: number }
  /** From now on the host sends something that is no document. */
  | { readonly kind: 'spoiled'; readonly url: string; readonly doneAtMs: number }
  /** A request whose client is named by the document. */
  | {
      readonly kind: 'used';
      readonly url: string;
      readonly begunAtMs: number;
      readonly doneAtMs: number;
      readonly isAccepted: boolean;
    };

/** How long a document may be used after it was sent. */
export interface DocumentTimes {
  readonly lifetimeMs: number;
  /** How much longer while its host cannot be reached. */
  readonly staleMs: number;
}

/** The number of requests that violated a guarantee of documents. */
export interface DocumentViolations {
  /** A document was used after its time. */
  readonly stale: number;
  /** A document was used again after it was refused, without having been sent again. */
  readonly resurrected: number;
  /** A document was refused within its time. */
  readonly falselyInactive: number;
}

/** Validations are recorded in whole seconds, and a request may take some time. */
const TOLERANCE_MS = 1_000;

type Served = Extract<DocumentEvent, { kind: 'served' }>;
type Used = Extract<DocumentEvent, { kind: 'used' }>;

/** Evaluates everything that happened to documents. */
export function documentViolations(
  events: readonly DocumentEvent[],
  times: DocumentTimes,
): DocumentViolations {
  const found = { stale: 0, resurrected: 0, falselyInactive: 0 };
  for (const own of byUrl(events).values()) {
    const uses = own.filter((event) => event.kind === 'used');
    for (const use of uses) {
      const known = knownAt(own, use, times);
      if (use.isAccepted && !isPermitted(known, use)) found.stale += 1;
      else if (use.isAccepted && wasRefused(uses, known, use)) found.resurrected += 1;
      if (!use.isAccepted && isPromised(known, use)) found.falselyInactive += 1;
    }
  }
  return found;
}

/** What had happened to a document before the end of a request. */
interface Known {
  readonly served: Served | undefined;
  readonly keptMs: number;
  readonly isWithdrawn: boolean;
  readonly isSpoiled: boolean;
}

function knownAt(own: readonly DocumentEvent[], use: Used, { lifetimeMs, staleMs }: DocumentTimes): Known {
  const served = own
    .filter((event) => event.kind === 'served')
    .findLast(({ begunAtMs }) => begunAtMs < use.doneAtMs);
  const isPast = (kind: 'withdrawn' | 'spoiled') =>
    own.some(
      (event) =>
        event.kind === kind && event.doneAtMs < use.doneAtMs && event.doneAtMs >= (served?.doneAtMs ?? 0),
    );
  const isWithdrawn = isPast('withdrawn');
  return {
    served,
    keptMs: isWithdrawn ? lifetimeMs : lifetimeMs + staleMs,
    isWithdrawn,
    isSpoiled: isPast('spoiled'),
  };
}

function isPermitted({ served, keptMs }: Known, { begunAtMs }: Used): boolean {
  return served !== undefined && begunAtMs <= served.doneAtMs + keptMs + TOLERANCE_MS;
}

function isPromised(
  { served, keptMs, isWithdrawn, isSpoiled }: Known,
  { begunAtMs, doneAtMs }: Used,
): boolean {
  // A document that is sent during the request may still be on its way.
  if (served === undefined || isWithdrawn || isSpoiled || served.doneAtMs > begunAtMs) return false;
  return doneAtMs < served.begunAtMs + keptMs - TOLERANCE_MS;
}

function wasRefused(uses: readonly Used[], { served }: Known, { begunAtMs }: Used): boolean {
  return uses.some(
    (other) => !other.isAccepted && other.doneAtMs < begunAtMs && other.begunAtMs > (served?.doneAtMs ?? 0),
  );
}
