import { Gauge, type Registry } from 'prom-client';
import type { Logger } from './logger.js';

/** Something that a service needs and that can fail on its own. */
export interface Dependency {
  /** Its name in health answers, metrics and logs. */
  readonly name: string;
  /** Settles within the readiness deadline when it can be used, rejects when not. Without it: always usable. */
  readonly check?: () => Promise<unknown>;
  /**
   * What an operator has to mend before it can be used in full, as a sentence without secrets; shown with readiness.
   */
  readonly problem?: () => string | undefined;
  /** Gives everything back. Called once, when no request is running any more. */
  close(): Promise<void>;
}

/** Whether a service can work, and which of its dependencies cannot. */
export interface ReadinessReport {
  readonly isReady: boolean;
  readonly dependencies: Readonly<Record<string, 'up' | 'down'>>;
  /** What an operator has to mend, one sentence each. */
  readonly problems: readonly string[];
}

/** The readiness of one service. */
export interface Readiness {
  /** Asks every dependency; callers at the same time share one round. Never rejects. */
  report(): Promise<ReadinessReport>;
  /** The service can be reached; before that it is not ready. */
  open(): void;
  /** From now on the service is not ready, whatever its dependencies say. */
  stop(): void;
}

/** What readiness is made of. */
export interface ReadinessOptions {
  readonly dependencies: readonly Dependency[];
  readonly logger: Logger;
  readonly registry: Registry;
  /** The time that a dependency has for its response. Default 1,000. */
  readonly deadlineMs?: number;
}

/** Readiness by asking: a dependency that fails or is late is down. Changes are logged, the last state is a metric. */
export function createReadiness(options: ReadinessOptions): Readiness {
  const { dependencies, logger, registry, deadlineMs = 1000 } = options;
  const gauge = new Gauge({
    name: 'dependency_up',
    help: 'Whether the last check of a dependency succeeded: 1 or 0.',
    labelNames: ['dependency'] as const,
    registers: [registry],
    // Whoever wants to know is told how it is, also where nobody asks whether the service is ready.
    collect: async () => void (await report()),
  });
  const known = new Map<string, boolean>();
  let isOpen = false;
  let round: Promise<ReadinessReport> | undefined;

  const ask = async (dependency: Dependency): Promise<readonly [string, boolean]> => {
    const isUp = await isUsable(dependency, deadlineMs);
    gauge.set({ dependency: dependency.name }, isUp ? 1 : 0);
    if (known.get(dependency.name) !== isUp) {
      known.set(dependency.name, isUp);
      logger.info({ dependency: dependency.name }, isUp ? 'dependency is up' : 'dependency is down');
    }
    return [dependency.name, isUp];
  };
  const askAll = async (): Promise<ReadinessReport> => {
    const states = await Promise.all(dependencies.map(ask));
    round = undefined;
    return {
      isReady: isOpen && states.every(([, isUp]) => isUp),
      dependencies: Object.fromEntries(states.map(([name, isUp]) => [name, isUp ? 'up' : 'down'])),
      problems: dependencies.flatMap(({ problem }) => problem?.() ?? []),
    };
  };
  const report = () => {
    round ??= askAll();
    return round;
  };
  return {
    report,
    open: () => {
      isOpen = true;
    },
    stop: () => {
      isOpen = false;
    },
  };
}

async function isUsable({ check }: Dependency, deadlineMs: number): Promise<boolean> {
  if (check === undefined) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, false);
  });
  try {
    return await Promise.race([check().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
