/** Schedule of a maintenance job. */
export interface JobSchedule {
  /** Runs the job once. */
  readonly run: () => Promise<void>;
  /** From the end of a run to the start of the next, in milliseconds. */
  readonly intervalMs: number;
  /** Called after each failed run. The next run takes place as scheduled. */
  readonly onError: (error: unknown) => void;
}

/** A started maintenance job. */
export interface MaintenanceJob {
  /** Stops the job after the current run. */
  stop(): Promise<void>;
}

/** Starts a job that runs at intervals, the first time after one. Does not keep the process running. */
export function startMaintenanceJob({ run, intervalMs, onError }: JobSchedule): MaintenanceJob {
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const plan = () => {
    if (!stopped) timer = setTimeout(start, intervalMs).unref();
  };
  const start = () => {
    underWay = run().catch(onError).then(plan);
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
