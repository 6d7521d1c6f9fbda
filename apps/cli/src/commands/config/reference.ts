import { Argument, Command } from '@commander-js/extra-typings';
import { describeSettings, settingsReference } from '@vestibule/service/settings';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { SERVICE_NAMES, SERVICES } from '../../settings/services.js';

/** `vestibule config reference` */
export const configReference: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description('Prints every setting of the services as Markdown: its name, format, default and meaning.')
      .addArgument(new Argument('[service...]', 'names of services; default: all').choices(SERVICE_NAMES))
      .action((names) => {
        const services = SERVICE_NAMES.filter(
          (name) => names.length === 0 || names.some((each) => each === name),
        );
        const described = services.map((service) => ({
          service,
          settings: describeSettings(SERVICES[service].schema).map(({ isSecret, ...setting }) => ({
            ...setting,
            secret: isSecret,
          })),
        }));
        const lines = services.flatMap((name) => [
          `## ${name}`,
          '',
          settingsReference(SERVICES[name].schema),
        ]);
        cli.terminal.show(described, lines);
      }),
    ['config reference introspection', 'the settings of one service'],
    ['config reference --json', 'all settings, for a script'],
  );
