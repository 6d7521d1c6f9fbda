import { createSecureContext } from 'node:tls';
import type { Server } from '@vestibule/http';
import { createLogger, createMetrics, flushLog, type Logger } from '@vestibule/http/observability';
import { openTracing } from '../tracing/open-tracing.js';
import { listen } from './listen.js';
import { createManagementServer } from './management-server.js';
import { httpServer } from './open-server.js';
import { EXIT_CODE, type ProcessHost, StartError } from './process-host.js';
import { createReadiness } from './readiness.js';
import type { ProcessSettings, RunningService, ServiceOptions } from './service-options.js';
import { shutDown } from './shutdown.js';
import { createShutdownControl, type ShutdownControl } from './shutdown-control.js';
import { type StartupCleanup, startupCleanup } from './startup-cleanup.js';

/** Time limit of the shutdown. Orchestrators usually wait ten seconds after the signal. */
const SHUTDOWN_DEADLINE_MS = 9_000;
/** How long the port for clients waits for the dependencies. */
const START_WAIT_MS = 1_500;
/** Additional time for flushing the log. */
const LOG_FLUSH_LIMIT_MS = 500;
const MANAGEMENT_PORT_OFFSET = 1000;

/**
 * Starts a service with loaded settings, as described at `runService`.
 * @returns the running service, or `undefined` if it did not start
 */
export async function startProcess<Settings extends ProcessSettings>(
  options: ServiceOptions<Settings>,
  settings: Settings,
  host: ProcessHost,
): Promise<RunningService | undefined> {
  // Node reads this file together with its own roots, and warns if it cannot. Otherwise the first https request would.
  if (options.environment?.['NODE_EXTRA_CA_CERTS'] !== undefined) createSecureContext();
  const logger = createLogger({ level: settings.LOG_LEVEL, service: options.name });
  host.onFault((reason, error) => {
    logger.fatal({ reason, error }, 'unhandled error, the process exits');
    host.exit(EXIT_CODE.failed);
  });
  host.onConsole((text) => logger.debug({ detail: text }, 'a library wrote to the console'));
  const cleanup = startupCleanup(logger);
  const control = createShutdownControl(() => cleanup.close(SHUTDOWN_DEADLINE_MS));
  shutDownOnSignal(control, logger, host);
  const cancelled = control.begun.then(() => undefined);
  try {
    return await Promise.race([start(options, { settings, logger, cleanup, control }), cancelled]);
  } catch (error) {
    if (control.hasBegun()) return undefined;
    reportFailure(options.name, error, { logger, host });
    await control.run().catch(() => false);
    host.exit(EXIT_CODE.failed);
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

interface Starting<Settings> {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly cleanup: StartupCleanup;
  readonly control: ShutdownControl;
}

async function start<Settings extends ProcessSettings>(
  { name, build, onListening }: ServiceOptions<Settings>,
  { settings, logger, cleanup, control }: Starting<Settings>,
): Promise<RunningService | undefined> {
  const metrics = createMetrics(name);
  const tracing = await openTracing({ name, settings, registry: metrics.registry });
  if (tracing !== undefined) cleanup.own(tracing.dependency);
  const { own, ownServer } = cleanup;
  const application = await build({ settings, logger, metrics, tracer: tracing?.tracer, own, ownServer });
  const { server } = application;
  const dependencies = cleanup.with(application.dependencies);
  const readiness = createReadiness({ dependencies, logger, registry: metrics.registry });
  const management = createManagementServer(readiness, metrics.registry);
  const parts = {
    servers: [httpServer(name, server), ...cleanup.servers],
    management: httpServer('management', management),
    readiness,
    dependencies,
    logger,
    deadlineMs: SHUTDOWN_DEADLINE_MS,
  };
  // The start was cancelled during the build; its dependencies are being closed.
  if (control.hasBegun()) return undefined;
  control.setProcedure(() => shutDown({ ...parts, drainMs: 0 }));
  const managementPort = await openManagementPort(management, settings);
  // The first requests would wait for the connections that are being made. Without the dependencies the service runs
  // all the same, and says that it is not ready.
  await readiness.awaitDependencies(START_WAIT_MS);
  if (control.hasBegun()) return undefined;
  const { HOST: host, PORT } = settings;
  const port = await listen(server, { host, port: PORT, setting: 'PORT' });
  if (!control.hasBegun()) readiness.open();
  control.setProcedure(() => shutDown({ ...parts, drainMs: settings.SHUTDOWN_DRAIN_MS }));
  logger.info({ host, port }, 'listening');
  onListening?.(settings);
  return { port, managementPort, stop: control.run };
}

function openManagementPort(management: Server, settings: ProcessSettings): Promise<number> {
  const setting =
    settings.MANAGEMENT_PORT === undefined ? 'PORT + 1000; MANAGEMENT_PORT sets another' : 'MANAGEMENT_PORT';
  return listen(management, { host: settings.MANAGEMENT_HOST, port: managementPortOf(settings), setting });
}

function shutDownOnSignal(control: ShutdownControl, logger: Logger, host: ProcessHost): void {
  const exit = async (code: number) => {
    // `exit` would wait for a stalled log device.
    if (await flushLog(logger, LOG_FLUSH_LIMIT_MS)) host.exit(code);
    else host.kill();
  };
  host.onSignal((signal) => {
    logger.info({ signal }, 'shutting down');
    control.run().then(
      (isClean) => exit(isClean ? 0 : EXIT_CODE.failed),
      (error: unknown) => {
        logger.error({ error }, 'the service did not shut down cleanly');
        return exit(EXIT_CODE.failed);
      },
    );
  });
}

function managementPortOf({ PORT, MANAGEMENT_PORT }: ProcessSettings): number {
  if (MANAGEMENT_PORT !== undefined) return MANAGEMENT_PORT;
  return PORT === 0 || PORT + MANAGEMENT_PORT_OFFSET > 65_535 ? 0 : PORT + MANAGEMENT_PORT_OFFSET;
}
