import type { CommandUnknownOpts } from '@commander-js/extra-typings';

const NOTES = new WeakMap<CommandUnknownOpts, readonly string[]>();

/** Adds notes to a command, one fact each, for help and the reference. Returns the command. */
export function withNotes<Some extends CommandUnknownOpts>(command: Some, notes: readonly string[]): Some {
  NOTES.set(command, notes);
  command.addHelpText('after', ['', 'Notes:', ...notes.map((note) => `  - ${note}`)].join('\n'));
  return command;
}

/** Returns the notes of a command. */
export function notesOf(command: CommandUnknownOpts): readonly string[] {
  return NOTES.get(command) ?? [];
}
