import type { Tracer } from '@vestibule/protocol';

/** Reads of the clock, which every store repeats each second. */
const CLOCK = 'now';

/** A tracer for a store that notes the names of its statements in the order in which they begin. */
export function notedStatements() {
  const names: string[] = [];
  const tracer: Tracer = {
    span: (start, operate) => {
      names.push(String(start.attributes?.['db.operation.name']));
      return operate({ setAttributes: () => undefined, fail: () => undefined });
    },
    traceparent: () => undefined,
  };
  /** The statements that run during some work. */
  const statements = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    names.length = 0;
    await work();
    return names.filter((name) => name !== CLOCK);
  };
  return { tracer, statements };
}
