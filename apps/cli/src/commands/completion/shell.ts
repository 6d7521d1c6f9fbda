import { Command } from '@commander-js/extra-typings';
import { COMPLETION_SCRIPTS, type Shell } from '../../completion/completion-scripts.js';
import type { CommandFactory } from '../../frame/cli.js';
import { describeCommands } from '../../frame/describe-commands.js';
import { withExamples } from '../../frame/examples.js';

const INSTALLED: Readonly<Record<Shell, string>> = {
  bash: 'source <(vestibule completion bash)',
  zsh: 'source <(vestibule completion zsh)',
  fish: 'vestibule completion fish | source',
};

/** `vestibule completion bash`, and the same for the other shells. */
export function completionFor(shell: Shell): CommandFactory {
  return (cli) =>
    withExamples(
      new Command()
        .description(
          `Prints a script that completes the commands, options and choices of vestibule in ${shell}: ${INSTALLED[shell]}`,
        )
        .action(async () => {
          const script = COMPLETION_SCRIPTS[shell](await describeCommands(cli));
          if (cli.terminal.isJson) cli.terminal.show({ shell, script }, []);
          else cli.terminal.write(script);
        }),
      [`completion ${shell}`, `print the script; to use it: ${INSTALLED[shell]}`],
    );
}
