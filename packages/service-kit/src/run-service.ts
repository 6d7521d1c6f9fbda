import { createEnding, type Ending } from './ending.js';
import type { Server } from './fastify-types.js';
import { type HeldDependencies, holdDependencies } from './held-dependencies.js';
import { listen } from './listen.js';
import type { LogLevel } from './log-levels.js';
import { flushLog } from './log-output.js';
import { createLogger, type Logger } from './logger.js';
import { createManagementServer } from './management-server.js';
import { createMetrics, type Metrics } from './metrics.js';
import { type ProcessHost, processHost } from './process-host.js';
import { createReadiness, type Dependency } from './readiness.js';
import { SettingsError } from './settings-error.js';
import { shutDown } from './shutdown.js';
import { StartError } from './start-error.js';
import { openTracing } from './tracing/open-tracing.js';
import type { RequestTracer } from './tracing/request-tracer.js';
import type { TraceSettings } from './tracing/trace-settings.js';

/** The settings that every process has. */
export interface ProcessSettings extends Partial<TraceSettings> {
  readonly HOST: string;
  readonly PORT: number;
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
  /** From `createServer`, with its endpoint families. */
  readonly server: Server;
  /** In the order in which they were made; those that were noted with `own` need not be named again. */
  readonly dependencies: readonly Dependency[];
}

/** One process. */
export interface ServiceOptions<Settings extends ProcessSettings> {
  /** The name of the service in logs and metrics. */
  readonly name: string;
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

/** Everything has ended by then, ten seconds after the signal being the usual patience of an orchestrator. */
const SHUTDOWN_DEADLINE_MS = 9_000;
/** How long the last lines of the log may take beyond that. */
const LOG_FLUSH_LIMIT_MS = 500;
const MANAGEMENT_PORT_OFFSET = 1000;

/** Exit codes: a fault of the process, and settings that cannot be used. */
const EXIT_FAILED = 1;
const EXIT_SETTINGS = 2;

/**
 * Runs a service as a process: reads the settings (each problem becomes a line on standard error, exit code 2), builds
 * and opens the ports (a reason that a person can mend is one sentence, exit code 1), and ends on SIGTERM or SIGINT, also
 * while it starts, with exit code 0, or 1 when something had to be cut off. A start that fails or is called off gives
 * back what it took. What nobody caught is logged and ends the process with 1.
 * @returns the running service, or `undefined` when it did not start
 */
export async function runService<Settings extends ProcessSettings>(
  options: ServiceOptions<Settings>,
  host: ProcessHost = processHost,
): Promise<RunningService | undefined> {
  const settings = loadOrExit(options, host);
  if (settings === undefined) return undefined;
  const logger = createLogger({ level: settings.LOG_LEVEL, service: options.name });
  host.onFault((reason, error) => {
    logger.fatal({ reason, error }, 'the process cannot go on');
    host.exit(EXIT_FAILED);
  });
  const held = holdDependencies(logger);
  const ending = createEnding(() => held.close(SHUTDOWN_DEADLINE_MS));
  endOnSignal(ending, logger, host);
  const calledOff = ending.begun.then(() => undefined);
  try {
    return await Promise.race([start(options, { settings, logger, held, ending }), calledOff]);
  } catch (error) {
    if (ending.hasBegun()) return undefined;
    reportFailure(options.name, error, { logger, host });
    await ending.end().catch(() => false);
    host.exit(EXIT_FAILED);
    return undefined;
  }
}

function reportFailure(
  name: string,
  error: unknown,
  { logger, host }: { readonly logger: Logger; readonly host: ProcessHost },
): void {
  if (error instanceof StartError) {
    host.writeError(`${name}: ${error.message}`);
    logger.debug({ error }, 'the service could not start');
  } else {
    logger.fatal({ error }, 'the service could not start');
  }
}

function loadOrExit<Settings extends ProcessSettings>(
  { name, load }: ServiceOptions<Settings>,
  host: ProcessHost,
): Settings | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof StartError) {
      host.writeError(`${name}: ${error.message}`);
      host.exit(EXIT_FAILED);
      return undefined;
    }
    if (!(error instanceof SettingsError)) throw error;
    host.writeError(`${name}: the configuration cannot be used.`);
    for (const { name: variable, problem } of error.problems) host.writeError(`  ${variable}: ${problem}`);
    host.exit(EXIT_SETTINGS);
    return undefined;
  }
}

interface Starting<Settings> {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly held: HeldDependencies;
  readonly ending: Ending;
}

async function start<Settings extends ProcessSettings>(
  { name, build, onListening }: ServiceOptions<Settings>,
  { settings, logger, held, ending }: Starting<Settings>,
): Promise<RunningService | undefined> {
  const metrics = createMetrics(name);
  const tracing = await openTracing({ name, settings, registry: metrics.registry });
  if (tracing !== undefined) held.own(tracing.dependency);
  const application = await build({ settings, logger, metrics, tracer: tracing?.tracer, own: held.own });
  const { server } = application;
  const dependencies = held.with(application.dependencies);
  const readiness = createReadiness({ dependencies, logger, registry: metrics.registry });
  const management = createManagementServer(readiness, metrics.registry);
  const parts = { server, management, readiness, dependencies, logger, deadlineMs: SHUTDOWN_DEADLINE_MS };
  // Called off while it was built: what it took is being closed.
  if (ending.hasBegun()) return undefined;
  ending.endBy(() => shutDown({ ...parts, drainMs: 0 }));
  const ports = await openPorts(server, management, settings);
  if (!ending.hasBegun()) readiness.open();
  ending.endBy(() => shutDown({ ...parts, drainMs: settings.SHUTDOWN_DRAIN_MS }));
  logger.info({ host: settings.HOST, port: ports.port }, 'listening');
  onListening?.(settings);
  return { ...ports, stop: ending.end };
}

async function openPorts(
  server: Server,
  management: Server,
  settings: ProcessSettings,
): Promise<Pick<RunningService, 'port' | 'managementPort'>> {
  const { HOST: host, PORT } = settings;
  const operators = { host, port: managementPortOf(settings), setting: 'MANAGEMENT_PORT' };
  const managementPort = await listen(management, operators);
  return { managementPort, port: await listen(server, { host, port: PORT, setting: 'PORT' }) };
}

function endOnSignal(ending: Ending, logger: Logger, host: ProcessHost): void {
  const exit = async (code: number) => {
    // An exit would wait for a log device that takes nothing.
    if (await flushLog(logger, LOG_FLUSH_LIMIT_MS)) host.exit(code);
    else host.kill();
  };
  host.onSignal((signal) => {
    logger.info({ signal }, 'ending');
    ending.end().then(
      (isClean) => exit(isClean ? 0 : EXIT_FAILED),
      (error: unknown) => {
        logger.error({ error }, 'the service did not end cleanly');
        return exit(EXIT_FAILED);
      },
    );
  });
}

function managementPortOf({ PORT, MANAGEMENT_PORT }: ProcessSettings): number {
  if (MANAGEMENT_PORT !== undefined) return MANAGEMENT_PORT;
  return PORT === 0 || PORT + MANAGEMENT_PORT_OFFSET > 65_535 ? 0 : PORT + MANAGEMENT_PORT_OFFSET;
}
