import { setTimeout as pause } from 'node:timers/promises';

/** Does something again and again until it is ended; the end waits for what is under way. */
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
