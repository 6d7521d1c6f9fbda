import type { Scheduler } from './scheduler.js';

/**
 * The scheduler of a Node.js process. Every task runs after the pending input was read, so that a response that arrived
 * while this process was busy is within a deadline that has passed in the meantime. Tasks with the same delay that are
 * scheduled in one turn of the event loop share a timer, because nearly all of them are cancelled.
 */
export const nodeScheduler: Scheduler = {
  soon: (run) => {
    setImmediate(run);
  },
  after: (delayMs, run) => {
    const group = openGroups.find((open) => open.delayMs === delayMs) ?? openGroup(delayMs);
    const task = { run };
    group.tasks.add(task);
    return () => cancel(group, task);
  },
};

interface Task {
  readonly run: () => void;
}

/** Tasks that were scheduled in one turn of the event loop with the same delay. */
interface Group {
  readonly delayMs: number;
  readonly tasks: Set<Task>;
  readonly timer: NodeJS.Timeout;
  /** Whether the turn or the delay is over, so that no task is added any more. */
  isClosed: boolean;
}

/** The open groups of this turn; there are few. */
let openGroups: readonly Group[] = [];

function openGroup(delayMs: number): Group {
  const tasks = new Set<Task>();
  const timer = setTimeout(() => {
    // A turn may last longer than the delay: tasks that are scheduled from now on need another timer.
    close(group);
    // Timers that are due run before the sockets are read, and immediates after that.
    setImmediate(() => {
      for (const task of tasks) task.run();
    });
  }, delayMs);
  const group: Group = { delayMs, tasks, timer, isClosed: false };
  openGroups = [...openGroups, group];
  setImmediate(() => {
    close(group);
    endIfEmpty(group);
  });
  return group;
}

/** Stops adding tasks to a group. */
function close(group: Group): void {
  group.isClosed = true;
  openGroups = openGroups.filter((open) => open !== group);
}

function cancel(group: Group, task: Task): void {
  group.tasks.delete(task);
  endIfEmpty(group);
}

function endIfEmpty({ tasks, timer, isClosed }: Group): void {
  if (isClosed && tasks.size === 0) clearTimeout(timer);
}

/**
 * Runs a function after a delay in milliseconds, once the pending input was read. Timers that are due run before the sockets
 * are read, and immediates after that: so what arrived while this process was busy is in time.
 * @returns a function that cancels it
 */
export function afterPendingInput(delayMs: number, run: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(run);
  }, delayMs);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
