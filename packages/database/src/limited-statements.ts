import type { ConnectionSemaphore } from './connection-checkout.js';
import type { RunStatement } from './statement.js';

/** Runs statements of one kind only while there is a slot for them, so that other statements find connections. */
export function limitedStatements(
  run: RunStatement,
  semaphore: ConnectionSemaphore,
  waitMs: number,
): RunStatement {
  return async (statement, values) => {
    await semaphore.acquire(waitMs);
    try {
      return await run(statement, values);
    } finally {
      semaphore.release();
    }
  };
}
