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
