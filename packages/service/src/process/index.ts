export { type LastingFaultOptions, lastingFault } from './lasting-fault.js';
export { type ListenAddress, listen, listenError } from './listen.js';
export { httpServer, type OpenServer } from './open-server.js';
export type { ProcessHost, ShutdownSignal } from './process-host.js';
export type { Dependency } from './readiness.js';
export { runService } from './run-service.js';
export type {
  Application,
  BuildContext,
  ProcessSettings,
  RunningService,
  ServiceOptions,
} from './service-options.js';
