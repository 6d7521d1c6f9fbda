import { createLogger, type Logger } from '../observability/logger.js';

/** A logger that keeps its lines. */
export interface MemoryLog {
  readonly logger: Logger;
  /** All output so far. */
  text(): string;
  /** All lines so far, parsed. */
  lines(): Record<string, unknown>[];
}

/** Creates a logger of the most verbose level that writes to memory. */
export function memoryLog(): MemoryLog {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  return {
    logger: createLogger({ level: 'trace', service: 'test', destination }),
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line)),
  };
}
