export { runService } from '../run-service.js';
export type {
  Application,
  BuildContext,
  ProcessSettings,
  RunningService,
  ServiceOptions,
} from '../service-options.js';
