import { afterPendingInput } from '@vestibule/protocol/runtime';
import type { RedisFault } from './redis-client.js';

/** Outcome of a command. */
export type CommandOutcome<Reply> = { readonly reply: Reply } | { readonly fault: RedisFault };

/**
 * Waits for a command for at most the given time. The client's own timer is not enough, because it starts when the
 * command is written, which may be later behind other commands or before a cluster is known. A response that arrived
 * while this process was busy is in time. Never rejects. The server may still execute a command that timed out.
 */
export function withinTime<Reply>(
  start: () => Promise<Reply>,
  timeoutMs: number,
  faultOf: (error: unknown) => RedisFault,
): Promise<CommandOutcome<Reply>> {
  return new Promise((resolve) => {
    const giveUp = () => resolve({ fault: { reason: 'timeout', answered: false } });
    const cancel = afterPendingInput(timeoutMs, giveUp);
    const settle = (outcome: CommandOutcome<Reply>) => {
      cancel();
      resolve(outcome);
    };
    attempt(start).then(
      (reply) => settle({ reply }),
      (error: unknown) => settle({ fault: faultOf(error) }),
    );
  });
}

/** A client may throw instead of rejecting, for example when no server of a cluster holds a slot. */
function attempt<Reply>(start: () => Promise<Reply>): Promise<Reply> {
  try {
    return start();
  } catch (error) {
    return Promise.reject(error);
  }
}
