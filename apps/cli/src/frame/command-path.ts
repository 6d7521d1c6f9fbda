import type { CommandGroup } from './cli.js';

/** How a command is typed after `vestibule`: `clients list`, or `apply` for a group that is itself a command. */
export function commandPath(
  group: Pick<CommandGroup, 'name' | 'isCommand'>,
  command: { readonly name: string },
): string {
  return group.isCommand === true ? group.name : `${group.name} ${command.name}`;
}
