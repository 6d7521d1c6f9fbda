/** Log levels that an operator can set. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** A log level. */
export type LogLevel = (typeof LOG_LEVELS)[number];
