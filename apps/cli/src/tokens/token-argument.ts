import { JWT_MAX_LENGTH } from '@vestibule/tokens';
import type { Cli } from '../frame/cli.js';
import { misused } from '../frame/command-failure.js';

/** Reads the token from an argument, or from standard input, where other users of the machine cannot see it. */
export async function tokenOf({ readInput }: Pick<Cli, 'readInput'>, argument?: string): Promise<string> {
  const text = argument === undefined || argument === '-' ? await readInput(JWT_MAX_LENGTH + 2) : argument;
  const token = text.trim();
  if (token === '') throw misused('No token given: pass it as an argument or on standard input.');
  return token;
}
