import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@vestibule/http/observability';
import { DeadlineError, nodeScheduler, withinDeadline } from '@vestibule/protocol/runtime';
import { Gauge, type Registry } from 'prom-client';

/** A dependency of a service that can fail independently. */
export interface Dependency {
  /** Name in health responses, metrics and logs. */
  readonly name: string;
  /**
   * Resolves within the readiness deadline if the dependency is usable, rejects otherwise. Without it, the state of the
   * dependency is not reported, and does not count.
   */
  readonly check?: () => Promise<unknown>;
  /**
   * A problem that an operator must fix before the dependency is fully usable, without secrets. Shown in the readiness
   * response.
   */
  readonly problem?: () => string | undefined;
  /** Releases all resources. Called once, after the last request. */
  close(): Promise<void>;
}

/** A dependency whose state is known. */
type CheckedDependency = Dependency & Required<Pick<Dependency, 'check'>>;

/** Readiness of a service and the state of its dependencies. */
export interface ReadinessReport {
  readonly isReady: boolean;
  /** The state of each dependency that has a check. */
  readonly dependencies: Readonly<Record<string, 'up' | 'down'>>;
  /** Problems for the operator to fix, one sentence each. */
  readonly problems: readonly string[];
}

/** Between two checks while a process starts. */
const RETRY_MS = 20;

/** The readiness of one service. */
export interface Readiness {
  /** Checks every dependency. Concurrent calls share one check. Never rejects. */
  report(): Promise<ReadinessReport>;
  /**
   * Waits until every dependency responds, at most this long. Until the service is open, nothing else asks. Never
   * rejects.
   */
  awaitDependencies(limitMs: number): Promise<void>;
  /** Marks the service as reachable; until then it is not ready. */
  open(): void;
  /** Marks the service as not ready, whatever the state of its dependencies. */
  stop(): void;
}

/** Options of {@link createReadiness}. */
export interface ReadinessOptions {
  readonly dependencies: readonly Dependency[];
  readonly logger: Logger;
  readonly registry: Registry;
  /** Time limit of a check in milliseconds. Default 1,000. */
  readonly deadlineMs?: number;
}

/**
 * Creates the readiness check. A dependency whose check fails or times out is down. Changes are logged, and the last
 * state is a metric if any dependency has a check.
 */
export function createReadiness(options: ReadinessOptions): Readiness {
  const { dependencies, logger, registry, deadlineMs = 1000 } = options;
  const checked = dependencies.filter(isChecked);
  const gauge = new Gauge({
    name: 'dependency_up',
    help: 'Whether the last check of a dependency succeeded: 1 or 0.',
    labelNames: ['dependency'] as const,
    registers: checked.length > 0 ? [registry] : [],
    // Scrapes run the checks, so that the metric is current even without readiness probes.
    collect: async () => void (await report()),
  });
  const known = new Map<string, boolean>();
  let isOpen = false;
  let round: Promise<ReadinessReport> | undefined;

  const check = async (dependency: CheckedDependency): Promise<readonly [string, boolean]> => {
    const isUp = await isUsable(dependency, deadlineMs);
    gauge.set({ dependency: dependency.name }, isUp ? 1 : 0);
    if (known.get(dependency.name) !== isUp) {
      known.set(dependency.name, isUp);
      logger.info({ dependency: dependency.name }, isUp ? 'dependency is up' : 'dependency is down');
    }
    return [dependency.name, isUp];
  };
  const checkAll = async (): Promise<ReadinessReport> => {
    const states = await Promise.all(checked.map(check));
    round = undefined;
    return {
      isReady: isOpen && states.every(([, isUp]) => isUp),
      dependencies: Object.fromEntries(states.map(([name, isUp]) => [name, isUp ? 'up' : 'down'])),
      problems: dependencies.flatMap(({ problem }) => problem?.() ?? []),
    };
  };
  const report = () => {
    round ??= checkAll();
    return round;
  };
  return {
    report,
    awaitDependencies: async (limitMs) => {
      const until = performance.now() + limitMs;
      for (let left = limitMs; left > 0; left = until - performance.now()) {
        const states = await Promise.all(checked.map((dependency) => isUsable(dependency, left)));
        if (states.every((isUp) => isUp)) return;
        await pause(RETRY_MS);
      }
    },
    open: () => {
      isOpen = true;
    },
    stop: () => {
      isOpen = false;
    },
  };
}

function isChecked(dependency: Dependency): dependency is CheckedDependency {
  return dependency.check !== undefined;
}

async function isUsable({ check }: CheckedDependency, deadlineMs: number): Promise<boolean> {
  const deadline = { scheduler: nodeScheduler, limitMs: deadlineMs };
  try {
    await withinDeadline(
      check(),
      deadline,
      () => new DeadlineError('the dependency did not respond in time'),
    );
    return true;
  } catch {
    return false;
  }
}
