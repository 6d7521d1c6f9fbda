export { type ErrorRecord, errorRecord } from './error-record.js';
export { LOG_LEVELS, type LogLevel } from './log-levels.js';
