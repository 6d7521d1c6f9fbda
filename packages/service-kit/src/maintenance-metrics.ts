import { type Clock, nowSeconds } from '@vestibule/protocol';
import { Gauge, type Registry } from 'prom-client';

/** What is done again and again beside requests. */
export type MaintenanceJob = 'clean_up' | 'audit_chain';

/**
 * Registers `maintenance_job_last_success_timestamp_seconds`: when a chore last ended well, by the clock of the process. Until it
 * first does that is now, so that a service that has just started does not look like one that has stopped working.
 * @returns what to call at the end of each round that went well
 */
export function maintenanceMetrics(
  registry: Registry,
  clock: Clock,
  maintenanceJobs: readonly MaintenanceJob[],
): (job: MaintenanceJob) => void {
  const gauge = new Gauge({
    name: 'maintenance_job_last_success_timestamp_seconds',
    help: 'Unix time of the last successful run of a maintenance job; until the first success, the start time of the process.',
    labelNames: ['maintenance_job'] as const,
    registers: [registry],
  });
  const note = (job: MaintenanceJob) => gauge.set({ maintenance_job: job }, nowSeconds(clock));
  for (const job of maintenanceJobs) note(job);
  return note;
}
