import { type Logger, readCounter, readGauge } from '@vestibule/http/observability';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { Change } from '@vestibule/tokens/changes';

/** An attempt to deliver a change; the other members are of one that failed. */
export interface Attempt {
  readonly isAccepted: boolean;
  readonly reason?: string;
  /** Status of the response, if there was one. */
  readonly status?: number | undefined;
  /** Code of the error or of the refusal. */
  readonly detail?: string | undefined;
}

/** Options of {@link watchAttempts}. */
export interface AttemptWatchOptions {
  readonly logger: Logger;
  readonly dependency: string;
  readonly registry: Parameters<typeof readGauge>[0];
  readonly clock: Clock;
  /** The change that this process is delivering. */
  readonly waiting: () => Change | undefined;
}

/** Reports attempts to operators. */
export interface AttemptWatch {
  made(attempt: Attempt): void;
  /** Forgets the attempts: another process may deliver now, and reports its own. */
  forget(): void;
  /** The problem of the receiver; `undefined` after an accepted change, and while this process delivers nothing. */
  problem(): string | undefined;
}

/** Registers the metrics of the webhook, and logs the first of several failures and the first success after them. */
export function watchAttempts(options: AttemptWatchOptions): AttemptWatch {
  const { logger, dependency, waiting } = options;
  const tally = { accepted: 0, refused: 0, failed: 0 };
  registerMetrics(options, tally);
  let failures = 0;
  let problem: string | undefined;
  const forget = () => {
    failures = 0;
    problem = undefined;
  };
  return {
    made: ({ isAccepted, reason, status, detail }) => {
      if (isAccepted) {
        tally.accepted += 1;
        if (failures > 0) logger.info({ dependency, count: failures }, 'the webhook accepts changes again');
        forget();
        return;
      }
      tally[status === undefined ? 'failed' : 'refused'] += 1;
      problem = `CHANGES_WEBHOOK_URL: ${[reason, status, detail].filter(Boolean).join(' ')}`;
      if (failures === 0)
        logger.warn(
          { dependency, reason, status, detail },
          'the webhook did not accept a change, which is sent again',
        );
      failures += 1;
    },
    forget,
    problem: () => (waiting() === undefined ? undefined : problem),
  };
}

function registerMetrics(
  { registry, clock, waiting }: AttemptWatchOptions,
  tally: Readonly<Record<string, number>>,
): void {
  readCounter(registry, {
    name: 'change_deliveries_total',
    help: 'Attempts to deliver changes to `CHANGES_WEBHOOK_URL`, by result: `accepted` (status 202), `refused` (another status) or `failed` (no response).',
    labels: ['result'],
    read: () => Object.entries(tally).map(([result, count]) => [{ result }, count] as const),
  });
  readGauge(registry, {
    name: 'change_delivery_lag_seconds',
    help: 'Age of the change that this instance is delivering to `CHANGES_WEBHOOK_URL`, which the later ones wait for; 0 if none waits, or if another instance delivers.',
    read: () => {
      const change = waiting();
      return [[{}, change === undefined ? 0 : Math.max(0, nowSeconds(clock) - change.occurredAt)]];
    },
  });
}
