import type { TObject } from 'typebox';
import type { Server } from './fastify-types.js';
import type { Environment } from './load-settings.js';
import type { LogLevel } from './log-levels.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import type { Dependency } from './readiness.js';
import type { RequestTracer } from './tracing/request-tracer.js';
import type { TraceSettings } from './tracing/trace-settings.js';

/** The settings that every process has. */
export interface ProcessSettings extends Partial<TraceSettings> {
  readonly HOST: string;
  readonly PORT: number;
  readonly MANAGEMENT_HOST: string;
  readonly MANAGEMENT_PORT?: number;
  readonly LOG_LEVEL: LogLevel;
  readonly SHUTDOWN_DRAIN_MS: number;
}

/** What a service is built from. */
export interface BuildContext<Settings> {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Records what requests do, where the settings say so. */
  readonly tracer: RequestTracer | undefined;
  /**
   * Notes a dependency that must not outlive a start which fails or is called off by a signal, such as a process of
   * its own. Noted before it is made, it is given back even when the signal comes meanwhile.
   * @throws StartError when the start was called off: building should end
   */
  readonly own: (dependency: Dependency) => void;
}

/** A service that is built and not yet listening. */
export interface Application {
  /** From `createServer`, with its route groups. */
  readonly server: Server;
  /** In the order in which they were made; those that were noted with `own` need not be named again. */
  readonly dependencies: readonly Dependency[];
}

/** One process. */
export interface ServiceOptions<Settings extends ProcessSettings> {
  /** The name of the service in logs and metrics. */
  readonly name: string;
  /** What the settings can be. A variable whose name is close to one of theirs is warned about at start. */
  readonly schemas?: readonly TObject[];
  /** Where the settings are read from. */
  readonly environment?: Environment;
  /** Reads the settings. @throws SettingsError */
  readonly load: () => Settings;
  /** Builds the service. It must not need its dependencies to be up: readiness tells when they are. */
  readonly build: (context: BuildContext<Settings>) => Application | Promise<Application>;
  /** Called once, when both ports are open. */
  readonly onListening?: (settings: Settings) => void;
}

/** A service that listens. */
export interface RunningService {
  readonly port: number;
  readonly managementPort: number;
  /** Ends the service as a signal would, without ending the process. @returns whether everything ended by itself */
  stop(): Promise<boolean>;
}
