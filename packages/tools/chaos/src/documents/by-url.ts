/** Groups what belongs to documents by their URLs, in the same order. */
export function byUrl<T extends { readonly url: string }>(
  all: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(one.url);
    if (group === undefined) groups.set(one.url, [one]);
    else group.push(one);
  }
  return groups;
}
