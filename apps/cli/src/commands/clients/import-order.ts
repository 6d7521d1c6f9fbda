/**
 * Processes items with limited concurrency and yields the results in the order of the items. It reads no further ahead
 * than that.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  atATime: number,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const started = work(item);
    // It is awaited below; a failure before that must not count as an unhandled rejection.
    started.catch(() => undefined);
    running.push(started);
    if (running.length < atATime) continue;
    const [first] = running.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const left of running) yield await left;
}

/** Runs tasks with the same name one after the other, in the order of the calls. */
export function turns<Result>(): (name: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<Result>>();
  return (name, work) => {
    const before = last.get(name);
    // An earlier failure is reported to its own caller.
    const own = before === undefined ? work() : before.then(work, work);
    last.set(name, own);
    const leave = () => {
      if (last.get(name) === own) last.delete(name);
    };
    own.then(leave, leave);
    return own;
  };
}
