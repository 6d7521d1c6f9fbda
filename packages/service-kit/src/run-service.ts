import { EXIT_CODE } from './exit-code.js';
import { misspeltSettings } from './misspelt-settings.js';
import { type ProcessHost, processHost } from './process-host.js';
import type { ProcessSettings, RunningService, ServiceOptions } from './service-options.js';
import { SettingsError } from './settings-error.js';
import { StartError } from './start-error.js';

/**
 * Runs a service as a process: reads the settings (each problem becomes a line on standard error, exit code 2), builds
 * and opens the ports (a reason that a person can mend is one sentence, exit code 1), and ends on SIGTERM or SIGINT,
 * also while it starts, with exit code 0, or 1 when something had to be cut off. A start that fails or is called off
 * gives back what it took. What nobody caught is logged and ends the process with 1.
 * @returns the running service, or `undefined` when it did not start
 */
export async function runService<Settings extends ProcessSettings>(
  options: ServiceOptions<Settings>,
  host: ProcessHost = processHost,
): Promise<RunningService | undefined> {
  for (const { name, meant } of misspeltSettings(options.schemas ?? [], options.environment ?? {}))
    host.writeError(`${options.name}: ${name} is not a setting and is ignored. Did you mean ${meant}?`);
  const settings = loadOrExit(options, host);
  if (settings === undefined) return undefined;
  // Whoever mistyped a setting does not wait for what a server is made of.
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
