/** Work that is done again and again. */
export interface Rounds {
  /** One round. */
  readonly round: () => Promise<void>;
  /** From the end of a round to the start of the next. */
  readonly intervalMs: number;
  /** Told of each round that failed; the next one takes place all the same. */
  readonly onError: (error: unknown) => void;
}

/** Rounds that are going on. */
export interface MaintenanceJob {
  /** Ends them, after the round that is under way. */
  stop(): Promise<void>;
}

/** Does work at intervals, the first time after one. Does not keep the process running. */
export function startMaintenanceJob({ round, intervalMs, onError }: Rounds): MaintenanceJob {
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const plan = () => {
    if (!stopped) timer = setTimeout(start, intervalMs).unref();
  };
  const start = () => {
    underWay = round().catch(onError).then(plan);
  };
  plan();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
