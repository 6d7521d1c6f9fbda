export type { HttpMetrics, OperationMetrics } from './http-metrics.js';
export { flushLog } from './log-output.js';
export { createLogger, type LogEntry, type Logger, type LogOptions } from './logger.js';
export { createMetrics, type Metrics, oncePerRegistry } from './metrics.js';
export { type ReadMetric, readCounter, readGauge } from './read-metrics.js';
export { type RequestMember, requestMember } from './request-member.js';
export type { RequestTracer } from './request-tracer.js';
