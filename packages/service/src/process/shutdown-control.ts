/** Shutdown of a service, at any point of its lifetime. */
export interface ShutdownControl {
  /**
   * Shuts the service down once; later calls return the same promise.
   * @returns whether everything stopped without being cut off
   */
  readonly run: () => Promise<boolean>;
  /** Replaces the shutdown procedure. */
  readonly setProcedure: (procedure: () => Promise<boolean>) => void;
  readonly hasBegun: () => boolean;
  /** Resolves when the shutdown begins. */
  readonly begun: Promise<void>;
}

/**
 * Creates a shutdown that has not begun.
 * @param first the procedure until `setProcedure` replaces it
 */
export function createShutdownControl(first: () => Promise<boolean>): ShutdownControl {
  let procedure = first;
  let running: Promise<boolean> | undefined;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    run: () => {
      begin();
      running ??= procedure();
      return running;
    },
    setProcedure: (next) => {
      procedure = next;
    },
    hasBegun: () => running !== undefined,
    begun,
  };
}
