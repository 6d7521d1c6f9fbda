import { SettingsError } from '../settings/load-settings.js';
import { misspeltSettings } from '../settings/misspelt-settings.js';
import { EXIT_CODE, type ProcessHost, processHost, StartError } from './process-host.js';
import type { ProcessSettings, RunningService, ServiceOptions } from './service-options.js';

/**
 * Runs a service as a process: loads the settings (one line on standard error per problem, exit code 2), builds the
 * service and opens the ports (one sentence for a failure that the operator can fix, exit code 1). It shuts down on
 * SIGTERM or SIGINT, also during startup, with exit code 0, or 1 if something had to be cut off. A failed or cancelled
 * start releases all resources. Uncaught errors are logged and end the process with 1.
 * @returns the running service, or `undefined` if it did not start
 */
export async function runService<Settings extends ProcessSettings>(
  options: ServiceOptions<Settings>,
  host: ProcessHost = processHost,
): Promise<RunningService | undefined> {
  for (const { name, meant } of misspeltSettings(options.schemas ?? [], options.environment ?? {}))
    host.writeError(`${options.name}: ${name} is not a setting and is ignored. Did you mean ${meant}?`);
  const settings = loadOrExit(options, host);
  if (settings === undefined) return undefined;
  // The server modules are loaded only after the settings are valid, so that invalid settings fail fast.
  const { startProcess } = await import('./start-process.js');
  return startProcess(options, settings, host);
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
      host.exit(EXIT_CODE.failed);
      return undefined;
    }
    if (!(error instanceof SettingsError)) throw error;
    host.writeError(`${name}: invalid configuration.`);
    for (const { name: variable, problem } of error.problems) host.writeError(`  ${variable}: ${problem}`);
    host.exit(EXIT_CODE.settings);
    return undefined;
  }
}
