import { randomUUID } from 'node:crypto';
import { nowSeconds } from '@vestibule/protocol';
import { type MaintenanceJob, startMaintenanceJob } from '../maintenance-job.js';
import type { Store } from '../open-store.js';
import type { ProcessSettings } from './agreed-settings.js';
import { settingsConflicts } from './settings-conflicts.js';

/** Options of {@link startSettingsWatch}. */
export interface SettingsWatchOptions extends ProcessSettings {
  readonly store: Pick<Store, 'opened' | 'clock'> & {
    readonly database: Pick<Store['database'], 'runningProcesses'>;
  };
  /** Called with one sentence when a conflict with another process appears. */
  readonly onConflict: (sentence: string) => void;
  /** Called when the other processes cannot be read, and not again before they could be. */
  readonly onError: (error: unknown) => void;
  /** In milliseconds. Default: 20 seconds. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 20_000;

/**
 * Compares the settings of this process with those of all others over the same database, as soon as the store is open
 * and then at intervals, since the others may start later.
 */
export function startSettingsWatch(options: SettingsWatchOptions): MaintenanceJob {
  const { store, onConflict, onError, intervalMs = INTERVAL_MS, program, settings } = options;
  const { runningProcesses } = store.database;
  const own = { id: randomUUID(), program, settings };
  let reported: readonly string[] = [];
  let isFailing = false;
  const run = async () => {
    const others = await runningProcesses.announce(own, nowSeconds(store.clock));
    const conflicts = settingsConflicts(own, others);
    for (const conflict of conflicts) if (!reported.includes(conflict)) onConflict(conflict);
    reported = conflicts;
    isFailing = false;
  };
  const fail = (error: unknown) => {
    if (!isFailing) onError(error);
    isFailing = true;
  };
  let isStopped = false;
  let running: Promise<MaintenanceJob> | undefined;
  const begin = () => {
    if (isStopped) return;
    running = run()
      .catch(fail)
      .then(() => startMaintenanceJob({ run, intervalMs, onError: fail }));
  };
  // A store that does not open reports that itself.
  store.opened.then(begin, () => undefined);
  return {
    stop: async () => {
      isStopped = true;
      if (running === undefined) return;
      await (await running).stop();
      await runningProcesses.withdraw(own.id).catch(fail);
    },
  };
}
