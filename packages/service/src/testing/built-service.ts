import type { Server } from '@vestibule/http';
import { createLogger, createMetrics } from '@vestibule/http/observability';
import type { Application, BuildContext, ProcessSettings } from '../process/service-options.js';

/** A built service whose dependencies are up. It does not listen. */
export interface BuiltService {
  readonly server: Server;
  close(): Promise<void>;
}

const POLL_MS = 20;

/** Builds a service and waits until its dependencies are up. Nothing is logged. */
export async function builtService<Settings extends ProcessSettings>(
  build: (context: BuildContext<Settings>) => Application,
  settings: Settings,
): Promise<BuiltService> {
  const { server, dependencies } = build({
    settings,
    logger: createLogger({ level: 'silent', service: 'test' }),
    metrics: createMetrics('test'),
    tracer: undefined,
    own: () => undefined,
    ownServer: () => undefined,
  });
  for (const { check } of dependencies) while (check !== undefined && !(await isUp(check))) await later();
  return {
    server,
    close: async () => {
      await server.close();
      for (const { close } of dependencies.toReversed()) await close();
    },
  };
}

function isUp(check: () => Promise<unknown>): Promise<boolean> {
  return check().then(
    () => true,
    () => false,
  );
}

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
