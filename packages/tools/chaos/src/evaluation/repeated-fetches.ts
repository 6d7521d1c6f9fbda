import { byUrl } from '../documents/by-url.js';
import type { DocumentFetch } from '../documents/document-host.js';

/** When documents may be fetched again. */
export interface FetchTimes {
  /** From a fetch that brought the document to the next one, at least. */
  readonly apartMs: number;
  /** When a process was killed that may have been fetching. */
  readonly killsAtMs: readonly number[];
}

/**
 * The number of fetches that came too early: while another fetch of the document was under way, or after one that brought
 * it, unless a process was killed in between.
 */
export function repeatedFetches(
  fetches: readonly DocumentFetch[],
  { apartMs, killsAtMs }: FetchTimes,
): number {
  let repeated = 0;
  for (const own of byUrl(fetches).values())
    for (const [index, fetch] of own.entries()) {
      const before = own[index - 1];
      if (before === undefined) continue;
      const wasKilled = killsAtMs.some((ms) => ms >= before.begunAtMs && ms <= fetch.begunAtMs);
      if (!wasKilled && isEarly(before, fetch, apartMs)) repeated += 1;
    }
  return repeated;
}

function isEarly(before: DocumentFetch, { begunAtMs }: DocumentFetch, apartMs: number): boolean {
  if (before.servedAtMs !== undefined) return begunAtMs < before.servedAtMs + apartMs;
  return begunAtMs < (before.endedAtMs ?? Number.POSITIVE_INFINITY);
}
