/** How a service ends, at whatever point of its life. */
export interface Ending {
  /** Ends it, once; later calls get the same response. @returns whether everything ended by itself */
  readonly end: () => Promise<boolean>;
  /** From now on it ends this way. */
  readonly endBy: (way: () => Promise<boolean>) => void;
  readonly hasBegun: () => boolean;
  /** Resolves when the end begins. */
  readonly begun: Promise<void>;
}

/** An end that has not begun. @param first how it ends as long as nothing else is said */
export function createEnding(first: () => Promise<boolean>): Ending {
  let way = first;
  let ending: Promise<boolean> | undefined;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    end: () => {
      begin();
      ending ??= way();
      return ending;
    },
    endBy: (next) => {
      way = next;
    },
    hasBegun: () => ending !== undefined,
    begun,
  };
}
