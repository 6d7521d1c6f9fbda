import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** An example: the arguments of `vestibule`, and what they do. */
export type Example = readonly [typed: string, meaning: string];

const EXAMPLES = new WeakMap<CommandUnknownOpts, readonly Example[]>();

/** Adds examples to a command, for help and the reference. Returns the command. */
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

/** Returns the examples of a command. */
export function examplesOf(command: CommandUnknownOpts): readonly Example[] {
  return EXAMPLES.get(command) ?? [];
}
