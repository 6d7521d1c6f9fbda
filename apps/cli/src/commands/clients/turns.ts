/** Lets work that bears one name wait for the work of that name before it, in the order in which it was asked for. */
export function turns<Result>(): (name: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<Result>>();
  return (name, work) => {
    const before = last.get(name);
    // What has failed before is told where it was asked for.
    const own = before === undefined ? work() : before.then(work, work);
    last.set(name, own);
    const leave = () => {
      if (last.get(name) === own) last.delete(name);
    };
    own.then(leave, leave);
    return own;
  };
}
