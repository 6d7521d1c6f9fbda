import { type Clock, nowSeconds } from '@vestibule/protocol';
import { Gauge, type Registry } from 'prom-client';

/** What is done again and again beside requests. */
export type Chore = 'clean_up' | 'audit_chain';

/**
 * Registers `chore_last_success_timestamp_seconds`: when a chore last ended well, by the clock of the process. Until it
 * first does that is now, so that a service that has just started does not look like one that has stopped working.
 * @returns what to call at the end of each round that went well
 */
export function choreMetrics(
  registry: Registry,
  clock: Clock,
  chores: readonly Chore[],
): (chore: Chore) => void {
  const gauge = new Gauge({
    name: 'chore_last_success_timestamp_seconds',
    help: 'When this process last did a regular work of the database, in seconds since 1970; its start before that.',
    labelNames: ['chore'] as const,
    registers: [registry],
  });
  const note = (chore: Chore) => gauge.set({ chore }, nowSeconds(clock));
  for (const chore of chores) note(chore);
  return note;
}
