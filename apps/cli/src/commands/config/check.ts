import { Argument, Command } from '@commander-js/extra-typings';
import {
  describeSettings,
  type Environment,
  SettingsError,
  type SettingsProblem,
} from '@vestibule/service/settings';
import { installationEnvironment } from '@vestibule/standalone/installation';
import type { CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { tableLines } from '../../frame/table.js';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../../settings/services.js';

/** `vestibule config check` */
export const configCheck: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Reads the environment as each service does when it starts, and reports every problem, and the source of every setting. Secrets are never shown. Exits with 1 if a service would not start.',
      )
      .addArgument(
        new Argument(
          '[service...]',
          'names of services; default: all; forward-auth only if ROUTES_FILE is set, console only if CONSOLE_URL is set',
        ).choices(SERVICE_NAMES),
      )
      .option('--all', 'also show settings that have their default value')
      .action((names, { all = false }) => {
        const { environment, made } = readEnvironment(cli.environment);
        const reports = SERVICE_NAMES.filter((name) =>
          names.length === 0 ? isUsed(name, environment) : names.some((each) => each === name),
        ).map((name) => checkService(name, { environment, made }));
        cli.terminal.show(
          reports,
          reports.flatMap((report) => reportLines(report, all)),
        );
        if (reports.some(({ ok }) => !ok)) cli.exitWith(EXIT.failed);
      }),
    ['config check', 'check all services against this environment'],
    ['config check introspection --all', 'every setting of one service, with its source'],
  );

function isUsed(name: ServiceName, environment: Environment): boolean {
  const { neededSetting } = SERVICES[name];
  return neededSetting === undefined || (environment[neededSetting] ?? '') !== '';
}

interface ReadEnvironment {
  readonly environment: Environment;
  /** Variables that the installation sets. */
  readonly made: ReadonlySet<string>;
}

/**
 * Returns the environment that the services of the installation see.
 * @throws StartError if there is no installation
 */
function readEnvironment(given: Environment): ReadEnvironment {
  const environment = installationEnvironment(given);
  const made = Object.keys(environment).filter((name) => (given[name] ?? '') === '');
  return { environment, made: new Set(made) };
}

interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly source: 'environment' | 'file' | 'installation' | 'default' | 'none';
}

interface ServiceReport {
  readonly service: ServiceName;
  readonly ok: boolean;
  readonly problems: readonly SettingsProblem[];
  readonly settings: readonly ShownSetting[];
}

function checkService(service: ServiceName, read: ReadEnvironment): ServiceReport {
  const problems = problemsOf(service, read.environment);
  const settings = describeSettings(SERVICES[service].schema).map(({ name, isSecret, default: fallback }) => {
    const source = sourceOf(name, isSecret, read);
    const isGiven = source !== 'default' && source !== 'none';
    const given = isSecret ? '(secret)' : (read.environment[name] ?? '');
    return {
      name,
      value: isGiven ? given : fallback,
      source: !isGiven && fallback === 'none' ? 'none' : source,
    };
  });
  return { service, ok: problems.length === 0, problems, settings };
}

function problemsOf(service: ServiceName, environment: Environment): readonly SettingsProblem[] {
  try {
    SERVICES[service].load(environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

function sourceOf(
  name: string,
  isSecret: boolean,
  { environment, made }: ReadEnvironment,
): ShownSetting['source'] {
  const isSet = (variable: string) => (environment[variable] ?? '') !== '';
  const fileName = `${name}_FILE`;
  const isFile = isSecret && isSet(fileName);
  if (!isFile && !isSet(name)) return 'default';
  if (made.has(isFile ? fileName : name)) return 'installation';
  return isFile ? 'file' : 'environment';
}

function reportLines({ service, problems, settings }: ServiceReport, all: boolean): readonly string[] {
  const shown = settings.filter(({ source }) => all || (source !== 'default' && source !== 'none'));
  const title = problems.length === 0 ? 'can start' : 'would not start';
  return [
    `${service}: ${title}`,
    ...problems.map(({ name, problem }) => `  ! ${name}: ${problem}`),
    ...tableLines(COLUMNS, shown).map((line) => `  ${line}`),
    '',
  ];
}

const COLUMNS = [
  { title: 'SETTING', cell: ({ name }: ShownSetting) => name },
  { title: 'SOURCE', cell: ({ source }: ShownSetting) => source },
  { title: 'VALUE', cell: ({ value }: ShownSetting) => value },
];
