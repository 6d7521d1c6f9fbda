import type { ProcessHost } from '../process/process-host.js';

/** A process that is not affected by the service. A failed start throws. */
export const UNAFFECTED_HOST: ProcessHost = {
  onSignal: () => undefined,
  onFault: () => undefined,
  onConsole: () => undefined,
  writeError: (line) => {
    throw new Error(line);
  },
  exit: () => undefined,
  kill: () => undefined,
};
