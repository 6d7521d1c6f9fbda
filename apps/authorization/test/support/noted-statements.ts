import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tracer } from '@vestibule/protocol';

/** A tracer for a store that notes the names of the statements of some work, in the order in which they begin. */
export function notedStatements() {
  // Statements that the store runs at intervals have another context.
  const noted = new AsyncLocalStorage<string[]>();
  const tracer: Tracer = {
    span: (start, operate) => {
      noted.getStore()?.push(String(start.attributes?.['db.operation.name']));
      return operate({ setAttributes: () => undefined, fail: () => undefined });
    },
    traceparent: () => undefined,
  };
  const statements = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    const names: string[] = [];
    await noted.run(names, work);
    return [...names];
  };
  return { tracer, statements };
}
