import type { RunStatement, Statement } from './statement.js';

/**
 * Repeats a statement, with a time in seconds as `$1` and the largest number of rows as `$2`, until it finds less than a
 * batch. Returns the number of rows.
 */
export async function inBatches(
  run: RunStatement,
  statement: Statement,
  { before, batchSize }: { readonly before: number; readonly batchSize: number },
): Promise<number> {
  let total = 0;
  for (;;) {
    const { rowCount } = await run(statement, [before, batchSize]);
    total += rowCount;
    if (rowCount < batchSize) return total;
  }
}
