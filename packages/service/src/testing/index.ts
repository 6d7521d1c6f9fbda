export { type BuiltService, builtService } from './built-service.js';
export { type MeasuredService, metricsReference } from './metrics-reference.js';
export { UNAFFECTED_HOST } from './unaffected-host.js';
