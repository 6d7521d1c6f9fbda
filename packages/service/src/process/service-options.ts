import type { Server } from '@vestibule/http';
import type { Logger, Metrics, RequestTracer } from '@vestibule/http/observability';
import type { LogLevel } from '@vestibule/protocol/logging';
import type { TObject } from 'typebox';
import type { Environment } from '../settings/load-settings.js';
import type { TraceSettings } from '../tracing/trace-settings.js';
import type { OpenServer } from './open-server.js';
import type { Dependency } from './readiness.js';

/** Settings of every process. */
export interface ProcessSettings extends Partial<TraceSettings> {
  readonly HOST: string;
  readonly PORT: number;
  readonly MANAGEMENT_HOST: string;
  readonly MANAGEMENT_PORT?: number;
  readonly LOG_LEVEL: LogLevel;
  readonly SHUTDOWN_DRAIN_MS: number;
}

/** Inputs for building a service. */
export interface BuildContext<Settings> {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Request tracer, if tracing is configured. */
  readonly tracer: RequestTracer | undefined;
  /**
   * Registers a dependency, such as a child process, that must not outlive a start that fails or is cancelled by a
   * signal. Register it before creating it, so that it is released even if the signal arrives in between.
   * @throws StartError if the start was cancelled; building should stop
   */
  readonly own: (dependency: Dependency) => void;
  /**
   * Registers a further server with a port of its own. It drains and closes together with the server of the application,
   * and must not outlive a start that fails or is cancelled.
   * @throws StartError if the start was cancelled; building should stop
   */
  readonly ownServer: (server: OpenServer) => void;
}

/** A service that is built but not listening yet. */
export interface Application {
  /** Created by `createServer`, with its route groups. */
  readonly server: Server;
  /** In the order of creation. Dependencies registered with `own` need not be repeated. */
  readonly dependencies: readonly Dependency[];
}

/** Options of {@link runService}. */
export interface ServiceOptions<Settings extends ProcessSettings> {
  /** Name of the service in logs and metrics. */
  readonly name: string;
  /** Schemas of the settings, for warnings at startup about variables with similar names. */
  readonly schemas?: readonly TObject[];
  /** Environment that the settings are read from. */
  readonly environment?: Environment;
  /**
   * Loads the settings.
   * @throws SettingsError
   */
  readonly load: () => Settings;
  /** Builds the service. It must not require its dependencies to be up; readiness reports when they are. */
  readonly build: (context: BuildContext<Settings>) => Application | Promise<Application>;
  /** Called once, when both ports are open. */
  readonly onListening?: (settings: Settings) => void;
}

/** A running service. */
export interface RunningService {
  readonly port: number;
  readonly managementPort: number;
  /**
   * Shuts the service down as a signal would, without ending the process.
   * @returns whether everything stopped without being cut off
   */
  stop(): Promise<boolean>;
}
