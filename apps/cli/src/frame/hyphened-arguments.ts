import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Like an option of one letter with more after it, of which there is none here: the only short one is `-h`. */
const HYPHENED = /^-[^-]./;

/**
 * Puts arguments that begin with a hyphen behind `--`, where the parser takes them for arguments. Identifiers may begin
 * so: one key of 64 does, and whoever types `keys activate "$id"` cannot know. Values of options stay where they are.
 */
export function hyphenedLast(args: readonly string[], command: CommandUnknownOpts): readonly string[] {
  if (args.includes('--')) return args;
  const takesValue = (arg: string | undefined) =>
    command.options.some(({ long, required, optional }) => long === arg && (required || optional));
  const isHyphened = (arg: string, index: number) => HYPHENED.test(arg) && !takesValue(args[index - 1]);
  return [...args.filter((arg, index) => !isHyphened(arg, index)), '--', ...args.filter(isHyphened)];
}
