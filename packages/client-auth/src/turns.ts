/** Lets only so many go on at once under one name; the others wait in line. */
export interface Turns {
  /** Waits for a turn, which has to be given back. */
  enter(name: string): Promise<void>;
  leave(name: string): void;
}

interface Line {
  busy: number;
  readonly waiting: (() => void)[];
}

/** Turns of nobody yet. Names take memory only while somebody is there. */
export function turns(atOnce: number): Turns {
  const lines = new Map<string, Line>();
  return {
    enter: async (name) => {
      const line = lines.get(name) ?? { busy: 0, waiting: [] };
      lines.set(name, line);
      if (line.busy >= atOnce) return new Promise((resolve) => line.waiting.push(resolve));
      line.busy += 1;
    },
    leave: (name) => {
      const line = lines.get(name);
      if (line === undefined) return;
      const next = line.waiting.shift();
      // The turn passes on.
      if (next !== undefined) return next();
      line.busy -= 1;
      if (line.busy === 0) lines.delete(name);
    },
  };
}
