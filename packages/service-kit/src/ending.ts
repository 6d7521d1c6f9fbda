/** Shutdown of a service, at any point of its lifetime. */
export interface Ending {
  /**
   * Shuts the service down once; later calls return the same promise.
   * @returns whether everything stopped without being cut off
   */
  readonly end: () => Promise<boolean>;
  /** Replaces the shutdown procedure. */
  readonly endBy: (way: () => Promise<boolean>) => void;
  readonly hasBegun: () => boolean;
  /** Resolves when the shutdown begins. */
  readonly begun: Promise<void>;
}

/**
 * Creates a shutdown that has not begun.
 * @param first the procedure until `endBy` replaces it
 */
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
