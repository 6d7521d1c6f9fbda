import { type Clock, nowSeconds } from '@vestibule/protocol';
import { Gauge, type Registry } from 'prom-client';

/** Maintenance jobs that run in the background. */
export type MaintenanceJobName = 'clean_up' | 'audit_chain';

/**
 * Registers `maintenance_job_last_success_timestamp_seconds`, by the clock of the process. Until the first success it
 * is the start time, so that a service that has just started does not look stalled.
 * @returns a function to call after each successful run
 */
export function maintenanceMetrics(
  registry: Registry,
  clock: Clock,
  maintenanceJobs: readonly MaintenanceJobName[],
): (job: MaintenanceJobName) => void {
  const gauge = new Gauge({
    name: 'maintenance_job_last_success_timestamp_seconds',
    help: 'Unix time of the last successful run of a maintenance job; until the first success, the start time of the process.',
    labelNames: ['maintenance_job'] as const,
    registers: [registry],
  });
  const note = (job: MaintenanceJobName) => gauge.set({ maintenance_job: job }, nowSeconds(clock));
  for (const job of maintenanceJobs) note(job);
  return note;
}
