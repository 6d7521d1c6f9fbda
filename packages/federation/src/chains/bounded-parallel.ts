/** Runs a function for every item with limited concurrency; the results are in the order of the items. */
export async function boundedParallel<Item, Result>(
  items: readonly Item[],
  maxParallel: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, worker));
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result);
}
