import { createRequire } from 'node:module';
import { Command, type CommandUnknownOpts, type OutputConfiguration } from '@commander-js/extra-typings';
import type { Cli, CommandEntry, CommandGroup } from './cli.js';
import { commandPath } from './command-path.js';

/** The manifest of the installed package, also found by bundled programs. */
const { version }: { readonly version: string } = createRequire(import.meta.url)(
  '@vestibule/cli/package.json',
);

/** Name of the program. */
const NAME = 'vestibule';

const EXIT_CODES_TEXT = `
Exit codes:
  0  success, or the check passed
  1  failure, or the check did not pass
  2  usage error: invalid arguments or settings, nothing was done
  3  not found: a given object does not exist
  4  conflict: the state of an object does not allow it, nothing was changed
  5  difference: a plan would change something, nothing was changed`;

const SETTINGS_TEXT = `
Settings come from the environment, as for the services: DATABASE_URL, ENCRYPTION_KEYS, REDIS_URL and the others,
secrets also from files (DATABASE_URL_FILE). Without DATABASE_URL, commands use the installation of "pnpm start" in
DATA_DIR (.vestibule), with its keys and base URL. See "vestibule config reference".`;

/** Options of {@link buildProgram}. */
export interface ProgramOptions {
  readonly cli: Cli;
  readonly output: OutputConfiguration;
  /** Called before a command that changes something. */
  readonly onChange: () => void;
  /** Which commands are loaded; others have only their name and summary. */
  readonly isWanted: (group: CommandGroup, entry: CommandEntry) => boolean;
}

/** Builds the program with the wanted commands. */
export async function buildProgram({ cli, output, onChange, isWanted }: ProgramOptions): Promise<Command> {
  const program = common(new Command(), NAME, output)
    .name(NAME)
    .description('Operates client registration, token introspection, logout and federation.')
    .version(`${NAME} ${version}`, '--version', 'show the version')
    .addHelpText('after', SETTINGS_TEXT)
    .addHelpText('after', EXIT_CODES_TEXT);
  for (const group of cli.groups) {
    if (group.isCommand === true) {
      for (const entry of group.commands)
        program.addCommand(await built(group, entry, { cli, output, onChange, isWanted }));
      continue;
    }
    const parent = common(new Command(), `${NAME} ${group.name}`, output)
      .name(group.name)
      .description(group.summary);
    for (const entry of group.commands)
      parent.addCommand(await built(group, entry, { cli, output, onChange, isWanted }));
    program.addCommand(parent);
  }
  return program;
}

/** Builds a command, which has only its name and summary if it is not wanted. */
async function built(
  group: CommandGroup,
  entry: CommandEntry,
  { cli, output, onChange, isWanted }: ProgramOptions,
): Promise<CommandUnknownOpts> {
  const command = isWanted(group, entry) ? await ready(entry, { cli, onChange }) : new Command();
  return common(command, `${NAME} ${commandPath(group, entry)}`, output)
    .name(group.isCommand === true ? group.name : entry.name)
    .summary(entry.summary);
}

async function ready(
  entry: CommandEntry,
  { cli, onChange }: Pick<ProgramOptions, 'cli' | 'onChange'>,
): Promise<CommandUnknownOpts> {
  const create = await entry.load();
  return create(cli)
    .option('--json', 'print JSON for scripts')
    .hook('preAction', (command) => {
      cli.terminal.useJson(command.opts()['json'] === true);
      // Every command that changes something has `--actor`.
      if ('actor' in command.opts()) onChange();
    });
}

/**
 * Applies common options to the program, its groups and its commands.
 * @param typed how it is invoked
 */
function common<Some extends CommandUnknownOpts>(
  command: Some,
  typed: string,
  output: OutputConfiguration,
): Some {
  command
    .showHelpAfterError(`See ${typed} --help.`)
    .exitOverride()
    .configureOutput(output)
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .allowExcessArguments(false);
  return command;
}
