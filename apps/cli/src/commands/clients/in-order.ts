/** Does work on items, so many at a time, and gives the results in the order of the items. Reads no further ahead. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  atATime: number,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const started = work(item);
    // It is waited for below; until then a failure of it is nobody's yet.
    started.catch(() => undefined);
    running.push(started);
    if (running.length < atATime) continue;
    const [first] = running.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const left of running) yield await left;
}
