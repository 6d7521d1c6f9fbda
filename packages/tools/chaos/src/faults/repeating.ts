import { setTimeout as pause } from 'node:timers/promises';

/** Repeats an action until it is stopped. Stopping waits for the action in progress. */
export function repeating(everyMs: number, act: (turn: number) => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const run = async () => {
    for (let turn = 0; !isOver; turn += 1) {
      await act(turn);
      await pause(everyMs);
    }
  };
  const running = run();
  return async () => {
    isOver = true;
    await running;
  };
}
