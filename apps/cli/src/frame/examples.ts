import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** An example: what is typed after `vestibule`, and what it does. */
export type Example = readonly [typed: string, meaning: string];

const EXAMPLES = new WeakMap<CommandUnknownOpts, readonly Example[]>();

/** Gives a command its examples, for help and the reference. Returns the command. */
export function withExamples<Some extends CommandUnknownOpts>(
  command: Some,
  ...examples: readonly [Example, ...Example[]]
): Some {
  EXAMPLES.set(command, examples);
  command.addHelpText(
    'after',
    [
      '',
      'Examples:',
      ...examples.flatMap(([typed, meaning]) => [`  # ${meaning}`, `  vestibule ${typed}`]),
    ].join('\n'),
  );
  return command;
}

/** The examples of a command. */
export function examplesOf(command: CommandUnknownOpts): readonly Example[] {
  return EXAMPLES.get(command) ?? [];
}
