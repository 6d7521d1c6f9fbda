import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Looks like a short option with a value. There is none: the only short option is `-h`. */
const HYPHENED = /^-[^-]./;

/**
 * Moves arguments that begin with a hyphen behind `--`, so that the parser treats them as arguments. One in 64 key
 * identifiers begins with a hyphen, and a user who types `keys activate "$id"` cannot know. Option values stay in
 * place.
 */
export function hyphenedLast(args: readonly string[], command: CommandUnknownOpts): readonly string[] {
  if (args.includes('--')) return args;
  const takesValue = (arg: string | undefined) =>
    command.options.some(({ long, required, optional }) => long === arg && (required || optional));
  const isHyphened = (arg: string, index: number) => HYPHENED.test(arg) && !takesValue(args[index - 1]);
  return [...args.filter((arg, index) => !isHyphened(arg, index)), '--', ...args.filter(isHyphened)];
}
