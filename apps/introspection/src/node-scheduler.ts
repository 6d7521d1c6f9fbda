import type { Scheduler } from '@vestibule/tokens';

/**
 * The scheduler of the process: soon is when the input that is there now has been read. What is planned for the same
 * time in one turn of the event loop shares a timer: nearly everything that is planned is called off.
 */
export const nodeScheduler: Scheduler = {
  soon: (run) => {
    setImmediate(run);
  },
  after: (delayMs, run) => {
    const group = plannedNow.find((planned) => planned.delayMs === delayMs) ?? beginGroup(delayMs);
    const plan = { run };
    group.plans.add(plan);
    return () => callOff(group, plan);
  },
};

interface Plan {
  readonly run: () => void;
}

/** What was planned in one turn for the same time. */
interface Group {
  readonly delayMs: number;
  readonly plans: Set<Plan>;
  readonly timer: NodeJS.Timeout;
  /** Whether the turn or the time is over: nothing comes any more. */
  isClosed: boolean;
}

/** The groups of this turn, of which there are few. */
let plannedNow: readonly Group[] = [];

function beginGroup(delayMs: number): Group {
  const plans = new Set<Plan>();
  const timer = setTimeout(() => {
    // A turn may last longer than the time: what is planned from now on is for another timer.
    close(group);
    for (const plan of plans) plan.run();
  }, delayMs);
  const group: Group = { delayMs, plans, timer, isClosed: false };
  plannedNow = [...plannedNow, group];
  setImmediate(() => {
    close(group);
    endIfEmpty(group);
  });
  return group;
}

/** Lets nothing more into a group. */
function close(group: Group): void {
  group.isClosed = true;
  plannedNow = plannedNow.filter((planned) => planned !== group);
}

function callOff(group: Group, plan: Plan): void {
  group.plans.delete(plan);
  endIfEmpty(group);
}

function endIfEmpty({ plans, timer, isClosed }: Group): void {
  if (isClosed && plans.size === 0) clearTimeout(timer);
}
