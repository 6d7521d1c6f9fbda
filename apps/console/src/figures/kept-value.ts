import type { Clock } from '@vestibule/protocol';

/** How long a value is used. */
export interface KeepingTimes {
  /** Age up to which the value is returned as it is, in milliseconds. */
  readonly freshMs: number;
  /** Age up to which it is returned while a new one is loaded, in milliseconds. */
  readonly staleMs: number;
}

/**
 * Returns a function that loads a value and keeps it for a time. Loads never overlap, and only the first call after a
 * long pause waits for one. A load that fails rejects for the calls that wait for it; otherwise the next call tries again.
 */
export function keptValue<Value>(
  { freshMs, staleMs }: KeepingTimes,
  clock: Clock,
  load: () => Promise<Value>,
): () => Promise<Value> {
  let kept: { readonly value: Value; readonly atMs: number } | undefined;
  let loading: Promise<Value> | undefined;
  const renew = (): Promise<Value> => {
    loading ??= load()
      .then((value) => {
        kept = { value, atMs: clock.nowMs() };
        return value;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  return async () => {
    // Also too old when the clock was set back.
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : Math.abs(clock.nowMs() - kept.atMs);
    if (kept === undefined || ageMs >= staleMs) return renew();
    if (ageMs >= freshMs) renew().catch(() => undefined);
    return kept.value;
  };
}
