export { type BuiltService, builtService } from './built-service.js';
