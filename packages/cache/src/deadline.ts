import { type RedisFault, redisFault } from './redis-fault.js';

/** What came of a command. */
export type CommandOutcome<Reply> = { readonly reply: Reply } | { readonly fault: RedisFault };

/**
 * Waits for a command, and no longer than the given time. The client has a timer of its own, which starts only when a
 * command is written: behind a batch that is under way, or before a cluster is known, it would not run. A response that
 * has arrived while this process was busy with something else is in time.
 * Never rejects. Nothing recalls a command that was given up: the server may still carry it out.
 */
export function withinTime<Reply>(
  start: () => Promise<Reply>,
  timeoutMs: number,
): Promise<CommandOutcome<Reply>> {
  return new Promise((resolve) => {
    const giveUp = () => resolve({ fault: { reason: 'timeout', answered: false } });
    // Timers that are due run before the sockets are read, and immediates after that.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    const settle = (outcome: CommandOutcome<Reply>) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    attempt(start).then(
      (reply) => settle({ reply }),
      (error: unknown) => settle({ fault: redisFault(error) }),
    );
  });
}

/** The client throws where it should reject: for a slot that no server of a cluster holds. */
function attempt<Reply>(start: () => Promise<Reply>): Promise<Reply> {
  try {
    return start();
  } catch (error) {
    return Promise.reject(error);
  }
}
